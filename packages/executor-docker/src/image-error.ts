import { CodeActError } from '@codeact/spec'

const SEE_IMAGES = '`docker images` lists what is here'

/** What is no name at all. */
export function badName(name: string, why: string): CodeActError {
  return new CodeActError('OPTION_INVALID', `docker(): image ${JSON.stringify(name)} is no name of an image: ${why}.`, {
    hint: `Use a name such as python:3.13-slim; ${SEE_IMAGES}.`,
  })
}

/** An image that is not here, and cannot come from anywhere. */
export function notFound(name: string, why: string): CodeActError {
  return new CodeActError('EXECUTOR_UNAVAILABLE', `There is no image ${name}: ${why}.`, {
    hint: `${SEE_IMAGES}; make it with docker build -t ${name} . or choose another one with docker({ image }).`,
  })
}

/** A pull that failed, told by what Docker says of it: it gives the same status for most. */
export function pullFailed(name: string, words: string, cause?: unknown): CodeActError {
  const [why, hint, isRetryable] = explain(name, words)
  const message = `The image ${name} is not here, and cannot be pulled: ${why} (${words}).`
  return new CodeActError('EXECUTOR_UNAVAILABLE', message, { hint, isRetryable, cause })
}

/** Docker says the same of an image that is not there and of one that is kept from strangers. */
function explain(name: string, words: string): [why: string, hint: string, isRetryable: boolean] {
  if (/denied|unauthorized|authentication|forbidden|no basic auth/i.test(words)) {
    return [
      'the registry has none of that name, or wants to know who asks',
      `Check the name. Where it is private: docker login, then docker pull ${name}, which also asks credential helpers.`,
      false,
    ]
  }
  if (
    /dial|lookup|no such host|timeout|timed out|deadline|refused|unreachable|handshake|x509|certificate|EOF|reset/i.test(
      words,
    )
  ) {
    return [
      'the registry cannot be reached',
      `Once there is a network: docker pull ${name}. Without one, take an image that is here (${SEE_IMAGES}), or bring it with docker load -i image.tar.`,
      true,
    ]
  }
  if (/not found|unknown|does not exist|no matching manifest/i.test(words)) {
    return [
      'the registry has none of that name for this machine',
      `Check name and tag; ${SEE_IMAGES}, and docker build -t ${name} . makes one.`,
      false,
    ]
  }
  return ['something went wrong midway', `See what this says: docker pull ${name}.`, true]
}
