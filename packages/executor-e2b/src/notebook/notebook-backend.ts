import type { Backend, Channel, Frame } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'
import type { Sandbox } from '@e2b/code-interpreter'
import { bootCell, WORKSPACE } from '../program.ts'
import { nameOf, wordsOf } from '../sdk-error.ts'
import type { Settings } from '../settings.ts'
import { NotebookChannel } from './notebook-channel.ts'

/** Where the bridge of a sandbox runs. */
export interface BridgePlace {
  readonly sandbox: Sandbox
  readonly token: string
}

/** Runs cells in contexts of E2B's notebook. All else, files included, is that of `bridges`, which starts sandboxes as they are needed. */
export function notebookBackend(bridges: Backend, place: () => BridgePlace, settings: Settings): Backend {
  let known: { readonly sandbox: Sandbox; readonly id: string } | undefined

  /** A fresh one: that of a kernel that has ended is started again. */
  async function freshContext(sandbox: Sandbox): Promise<string> {
    const { id } = known?.sandbox === sandbox ? known : { id: undefined }
    if (id !== undefined && (await isRestarted(sandbox, id))) return id
    try {
      const context = await sandbox.createCodeContext({ language: 'python', cwd: WORKSPACE })
      known = { sandbox, id: context.id }
      return context.id
    } catch (error) {
      throw noNotebook(error)
    }
  }

  async function connect(language: string, receive: (frame: Frame) => void): Promise<Channel> {
    let channel: NotebookChannel | undefined
    const line = await bridges.connect(language, (frame) => channel?.hear(frame))
    try {
      const { sandbox, token } = place()
      const context = await freshContext(sandbox)
      const settle = (): Promise<void> => bridges.files.makeFolder('.')
      channel = new NotebookChannel(
        { sandbox, context, line, settle, boot: bootCell(token), env: settings.env },
        receive,
      )
      return channel
    } catch (error) {
      await line.close()
      throw error
    }
  }

  async function close(): Promise<void> {
    const { sandbox, id } = known ?? {}
    if (settings.sandboxId !== undefined && id !== undefined) await sandbox?.removeCodeContext(id).catch(() => {})
    await bridges.close()
  }

  return {
    capabilities: bridges.capabilities,
    files: bridges.files,
    setBusy: (isBusy) => bridges.setBusy?.(isBusy),
    connect,
    close,
  }
}

async function isRestarted(sandbox: Sandbox, id: string): Promise<boolean> {
  return sandbox.restartCodeContext(id).then(
    () => true,
    () => false,
  )
}

function noNotebook(error: unknown): CodeActError {
  const isMissing = /port is not open/.test(wordsOf(error)) || nameOf(error) === 'NotFoundError'
  const hint = isMissing
    ? "The template has none: leave template out, build yours on E2B's code-interpreter-v1, or leave out backend: 'jupyter'."
    : 'Try again.'
  return new CodeActError('KERNEL_START_FAILED', `E2B's notebook did not start a context: ${wordsOf(error)}.`, {
    hint,
    cause: error,
    isRetryable: !isMissing,
  })
}
