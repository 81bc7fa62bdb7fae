export { docker } from './docker.ts'
export type { DockerOptions } from './docker-options.ts'
