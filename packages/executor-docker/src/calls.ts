import type Docker from 'dockerode'

/**
 * The calls that `dockerode` aborts although its types do not say so. Each resolves as it does there, and hears of the abort
 * through its signal.
 */
export function ping(docker: Docker, abortSignal: AbortSignal): Promise<unknown> {
  return (docker as unknown as Abortable).ping({ abortSignal })
}

export function info(docker: Docker, abortSignal: AbortSignal): Promise<unknown> {
  return (docker as unknown as Abortable).info({ abortSignal })
}

/** For this one the library has no way to abort at all, but its parts have. */
export function inspectImage(docker: Docker, name: string, abortSignal: AbortSignal): Promise<Docker.ImageInspectInfo> {
  const request = { path: `/images/${name}/json`, method: 'GET', abortSignal, statusCodes: { 200: true } }
  return new Promise((resolve, reject) => {
    docker.modem.dial(request, (error, found) => {
      if (error === null) resolve(found as Docker.ImageInspectInfo)
      else reject(error)
    })
  })
}

/** Kills it first, and takes its anonymous volumes away. */
export function removeByForce(container: Docker.Container, abortSignal: AbortSignal): Promise<unknown> {
  const options = { force: true, v: true, abortSignal }
  return container.remove(options)
}

/** The events of a container that match, those that have been as well as those to come, one JSON object a line. */
export function eventsOf(
  docker: Docker,
  container: string,
  event: string[],
  abortSignal: AbortSignal,
): Promise<NodeJS.ReadableStream> {
  const options = { since: 1, filters: { container: [container], event }, abortSignal }
  return docker.getEvents(options)
}

interface Abortable {
  ping(options: { abortSignal: AbortSignal }): Promise<unknown>
  info(options: { abortSignal: AbortSignal }): Promise<unknown>
}
