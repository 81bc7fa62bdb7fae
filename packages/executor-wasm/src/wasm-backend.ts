import type { Backend, Channel, Frame } from '@codeact/sandbox'
import { type Capabilities, CodeActError, type OpenOptions } from '@codeact/spec'
import { capabilities } from './capabilities.ts'
import { findInstallation } from './installation.ts'
import { MemoryFiles } from './memory-files.ts'
import type { PythonProcess } from './python-process.ts'
import { type PythonLimits, type Started, startPython } from './start-python.ts'

/** Opens the place for one sandbox, with a Python that is running already. */
export async function openWasmBackend(limits: PythonLimits, { onProgress, signal }: OpenOptions): Promise<Backend> {
  const installation = findInstallation()
  const start = (): Promise<Started> => startPython(installation, limits, onProgress)
  const { python, version } = await start()
  if (signal?.aborted) await python.close()
  signal?.throwIfAborted()
  return new WasmBackend(start, python, capabilities(version), limits.maxFileBytes)
}

/** One Python at a time, and a new one after the last has ended. Files are asked of the one that runs. */
class WasmBackend implements Backend {
  readonly capabilities: Capabilities
  readonly files: MemoryFiles
  readonly #start: () => Promise<Started>
  #python: Promise<PythonProcess>
  #isClosed = false

  constructor(start: () => Promise<Started>, python: PythonProcess, capabilities: Capabilities, maxFileBytes: number) {
    this.#start = start
    this.#python = Promise.resolve(python)
    this.capabilities = capabilities
    this.files = new MemoryFiles(async () => (await this.#running()).files, maxFileBytes)
  }

  async connect(_language: string, receive: (frame: Frame) => void): Promise<Channel> {
    const python = await this.#running()
    python.connect(receive)
    return python
  }

  setIdle(isIdle: boolean): void {
    this.#python.then(
      (python) => python.setIdle(isIdle),
      () => {}, // Whoever uses it is told.
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const python = await this.#python.catch(() => undefined)
    await python?.close()
  }

  #running(): Promise<PythonProcess> {
    const restart = (): Promise<PythonProcess> => this.#restart()
    this.#python = this.#python.then((python) => (python.isAlive ? python : restart()), restart)
    return this.#python
  }

  async #restart(): Promise<PythonProcess> {
    if (this.#isClosed)
      throw new CodeActError('SANDBOX_CLOSED', 'The sandbox is closed.', { hint: 'Open another one.' })
    const { python } = await this.#start()
    await this.files.restore(python.files)
    return python
  }
}
