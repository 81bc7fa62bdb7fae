import { homedir } from 'node:os'
import { join } from 'node:path'

/** Environment variables: `process.env`, or others in its place. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The user's home. */
export function homeFolder(env: Environment): string {
  return env.HOME || env.USERPROFILE || homedir()
}

/** Where the `docker` command keeps its settings, contexts and logins. */
export function configFolder(env: Environment): string {
  return env.DOCKER_CONFIG || join(homeFolder(env), '.docker')
}
