import type { SandboxOptions } from '@codeact/sandbox'

/**
 * What `docker()` takes. Of the common options, in a container: `limits.memory` (default `512m`, at least `6m`) holds everything
 * in it, its tmpfs included, and there is no swap; `limits.cpus` (default 1); `limits.processes` (default 256) counts threads too;
 * `limits.files` (default 1024, at least 256) is per process; `limits.disk` (default half the memory) is the size of the working directory,
 * beside which `/tmp` has 64 MB. `env` is visible to whoever may ask this Docker: it is no place for secrets.
 */
export interface DockerOptions extends SandboxOptions {
  /**
   * What the container is made from: a name that `docker images` shows, or an id; pulled first where it is missing. It needs the
   * language, and nothing else. Default `python:3.13-slim`.
   */
  readonly image?: string
  /**
   * Where Docker listens: `unix:///run/user/1000/docker.sock`, `tcp://host:2376`, `https://host`, `npipe:////./pipe/docker_engine`,
   * `ssh://user@host`. Default: `DOCKER_HOST`, else the current context, else the first of the usual sockets that answers.
   */
  readonly host?: string
  /** A context of `docker context ls`, in place of `host`. */
  readonly context?: string
  /** Who the code is in the container: the numbers of a user and a group, `1000:1000`. Default `65534:65534`, which is nobody. */
  readonly user?: string
  /**
   * A folder of the host as the working directory, by its absolute path where Docker runs, read-only unless `writable`. Then
   * `limits.disk` cannot be kept, and `user` must be one that may read the folder: `${process.getuid()}`. Default: memory of the
   * container (tmpfs), which goes with it.
   */
  readonly workspace?: { readonly mount: string; readonly writable?: boolean }
}

export const DEFAULT_IMAGE = 'python:3.13-slim'
