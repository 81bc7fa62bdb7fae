export { type Recorder, record } from './record.ts'
export { type ReplayOptions, replay } from './replay.ts'
export { type ScriptedReply, scripted } from './scripted.ts'
