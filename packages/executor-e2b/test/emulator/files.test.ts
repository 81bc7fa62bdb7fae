import { randomBytes } from 'node:crypto'
import { FileNotFoundError, InvalidArgumentError, Sandbox } from '@e2b/code-interpreter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulator, startEmulator } from './emulator.ts'
import { bubblewrap } from './requirements.ts'
import { until } from './watching.ts'

describe.skipIf(!bubblewrap.isMet)(`files in the emulator ${bubblewrap.reason}`, () => {
  let emulator: Emulator
  let sandbox: Sandbox
  const bytes = randomBytes(300_000)

  beforeAll(async () => {
    emulator = await startEmulator()
    sandbox = await Sandbox.create('base', emulator.connection)
  })
  afterAll(() => emulator?.close())

  it.each([
    ['as a form', {}],
    ['as a stream of bytes', { useOctetStream: true }],
    ['compressed', { gzip: true }],
  ])('come back as they were written, %s', async (_how, options) => {
    const info = await sandbox.files.write('deep/er/bytes.bin', new Blob([bytes]), options)
    expect(info).toMatchObject({ name: 'bytes.bin', path: '/home/user/deep/er/bytes.bin', type: 'file' })
    for (const gzip of [false, true]) {
      const read = await sandbox.files.read('deep/er/bytes.bin', { format: 'bytes', gzip })
      expect(bytes.equals(read)).toBe(true)
    }
  })

  it('are written several at once, empty ones too, anywhere', async () => {
    const written = await sandbox.files.write([
      { path: 'one.txt', data: 'eins ä' },
      { path: '/tmp/empty', data: '' },
    ])
    expect(written.map(({ path }) => path)).toEqual(['/home/user/one.txt', '/tmp/empty'])
    expect(await sandbox.files.read('one.txt')).toBe('eins ä')
    expect(await sandbox.files.read('/tmp/empty')).toBe('')
    expect((await sandbox.commands.run('cat one.txt; stat -c %U one.txt')).stdout).toBe('eins äuser\n')
  })

  it('are listed, described, moved and removed', async () => {
    expect(await sandbox.files.makeDir('folder/inner')).toBe(true)
    expect(await sandbox.files.makeDir('folder/inner')).toBe(false)
    expect(await sandbox.files.list('folder/inner')).toEqual([])
    await sandbox.files.write('folder/a', 'abc', { metadata: { Colour: 'red' } })
    await sandbox.commands.run('ln -s a folder/link')
    const entries = await sandbox.files.list('folder')
    expect(entries.map(({ name, type }) => [name, type])).toEqual([
      ['a', 'file'],
      ['inner', 'dir'],
      ['link', 'file'],
    ])
    expect(await sandbox.files.getInfo('folder/a')).toMatchObject({
      size: 3,
      owner: 'user',
      metadata: { colour: 'red' },
    })
    expect(await sandbox.files.getInfo('folder/link')).toMatchObject({ symlinkTarget: '/home/user/folder/a' })
    expect(await sandbox.files.rename('folder/a', 'elsewhere/b')).toMatchObject({ path: '/home/user/elsewhere/b' })
    expect(await sandbox.files.exists('folder/a')).toBe(false)
    await sandbox.files.remove('folder')
    expect(await sandbox.files.exists('folder')).toBe(false)
  })

  it('that are missing, or folders, are refused', async () => {
    await expect(sandbox.files.read('nowhere')).rejects.toThrow(FileNotFoundError)
    await expect(sandbox.files.list('nowhere')).rejects.toThrow(FileNotFoundError)
    await expect(sandbox.files.read('/tmp')).rejects.toThrow(InvalidArgumentError)
    await expect(sandbox.files.list('/etc/passwd')).rejects.toThrow(InvalidArgumentError)
    await expect(sandbox.files.write('/tmp', 'x')).rejects.toThrow(InvalidArgumentError)
  })

  it('do not lead out of the sandbox', async () => {
    await sandbox.commands.run('ln -s /etc/hostname out; ln -s / root')
    await expect(sandbox.files.read('out')).rejects.toThrow(FileNotFoundError)
    expect((await sandbox.files.list('root')).map(({ name }) => name)).not.toContain('work')
    expect(await sandbox.files.read('root/etc/passwd')).toMatch(/^root:x:0:0::\/root:\/bin\/bash\nuser:/)
  })

  it('are watched', async () => {
    const seen: string[] = []
    let goodbye: unknown
    await sandbox.files.makeDir('watched')
    const handle = await sandbox.files.watchDir('watched', ({ name, type }) => void seen.push(`${type} ${name}`), {
      recursive: true,
      onExit: (error) => {
        goodbye = error
      },
    })
    await sandbox.files.write('watched/x', '1')
    await sandbox.files.makeDir('watched/sub')
    await until(() => seen.includes('create sub'))
    await sandbox.files.write('watched/sub/y', '1')
    await sandbox.files.remove('watched/x')
    await until(() => seen.includes('remove x') && seen.includes('create sub/y'))
    expect(seen.slice(0, 2)).toEqual(['create x', 'write x'])
    await handle.stop()
    await until(() => goodbye !== undefined)
    expect(goodbye).toMatchObject({ name: 'TimeoutError', message: expect.stringContaining('[canceled]') })
  })
})
