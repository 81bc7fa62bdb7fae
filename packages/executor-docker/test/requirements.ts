import { onRequest, requirement } from '@codeact/testing'
import { connectDocker } from '../src/connection.ts'
import { resolveImage } from '../src/image.ts'

/** An image with Python and a shell: the default one has to come from a registry. */
export const IMAGE = process.env.CODEACT_TEST_IMAGE ?? 'codeact-test:latest'

/** A Docker that answers, and has the image. */
export const docker = await requirement('docker', async () => resolveImage(await connectDocker(), IMAGE))

export const slow = onRequest('slow')
