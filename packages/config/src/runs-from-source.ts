/** True when this package runs as TypeScript, inside its own workspace: then so do the packages beside it. */
export const runsFromSource = import.meta.url.endsWith('.ts')
