export type { Backend, BackendFiles, CellFate, Channel, ChannelEnd, Delivery, ForkRequest } from './backend.ts'
export { defineExecutor, type ExecutorDefinition } from './define-executor.ts'
export { type FileReply, FileRequests } from './files/file-requests.ts'
export { hostFolderFiles } from './files/host-folder.ts'
export { insidePath } from './files/inside-path.ts'
export { RemoteFiles } from './files/remote-files.ts'
export { FrameDecoder } from './frames/decoder.ts'
export { type Frame, type FrameInput, MAX_FRAME_BYTES } from './frames/frame.ts'
export { FramePort } from './frames/port.ts'
export { keepAlive } from './keep-alive.ts'
export { limitEnd } from './limit-end.ts'
export {
  checkpointBytes,
  type Limits,
  numberFrom,
  type OptionName,
  parseBytes,
  type SandboxOptions,
  wholeFrom,
} from './options.ts'
export { isGone, type Owner, parseOwner, thisOwner } from './owner.ts'
export {
  type CompiledModules,
  type ProcessLimits,
  type PythonStart,
  pythonBridgeStart,
  pythonKeptKernelStart,
  pythonKernelFolder,
  pythonKernelStart,
  pythonLinkStart,
  pythonModules,
  pythonSupervisorStart,
  pythonTwinModules,
  pythonTwinStart,
  withProcessLimits,
} from './python-kernel.ts'
export { busyBySome, Shared } from './shared.ts'
export {
  type Place,
  type StartPlace,
  type SupervisedOptions,
  supervisedBackend,
} from './supervised/supervised-backend.ts'
export type { SupervisorUp } from './supervised/supervisor.ts'
export { decodeValue } from './values/decode.ts'
export { encodeValue } from './values/encode.ts'
