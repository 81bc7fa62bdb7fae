import type { ImagePart, UserMessage } from '@codeact/spec'
import type { Files } from './loop/lazy-sandbox.ts'
import { taskMessage } from './loop/transcript.ts'

/** A task in words, or with what belongs to it. */
export type Task = string | TaskInput

export interface TaskInput {
  readonly text: string
  /** Shown to the model. */
  readonly images?: readonly ImageInput[]
  /** Put into the sandbox's working directory, by relative path; the model is told their names. */
  readonly files?: Files
}

export interface ImageInput {
  /** For example `image/png`. */
  readonly mediaType: string
  /** The image's bytes, or these as base64. */
  readonly data: string | Uint8Array
}

/** The task as the model is told it. */
export function messageOf({ text, images = [], files = {} }: TaskInput, vision: boolean): UserMessage {
  const told = [text, filesNote(Object.keys(files)), vision ? '' : unseen(images.length)].filter((part) => part !== '')
  const message = taskMessage(told.join('\n\n'))
  return vision ? { ...message, content: [...message.content, ...images.map(imagePart)] } : message
}

function imagePart({ mediaType, data }: ImageInput): ImagePart {
  return { type: 'image', mediaType, data: typeof data === 'string' ? data : Buffer.from(data).toString('base64') }
}

function filesNote(names: readonly string[]): string {
  return names.length === 0 ? '' : `Files in the working directory: ${names.join(', ')}`
}

function unseen(images: number): string {
  if (images === 0) return ''
  return `Note: ${images === 1 ? 'an image belongs' : `${images} images belong`} to this task, which you cannot see.`
}
