import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import { newFolder, tree } from './folder.ts'

const hasTar = /GNU tar/.test(spawnSync('tar', ['--version'], { encoding: 'utf8' }).stdout ?? '')

const CONTENTS: Readonly<Record<string, Uint8Array>> = {
  'a.txt': Buffer.from('text\n'),
  empty: new Uint8Array(),
  'nested/deep/binary': new Uint8Array(70_000).map((_, i) => (i * 7) % 256),
  'nested/grüße – 世界 🙂': Buffer.from('unicode'),
  'with space and\nnew line': Buffer.from('x'),
  '-rf': Buffer.from('x'),
}
const LONG = { [`${'long-'.repeat(30)}/${'name-'.repeat(30)}`]: Buffer.from('long') }

async function fill(folder: string, contents: Readonly<Record<string, Uint8Array>>): Promise<void> {
  await mkdir(join(folder, 'empty folder'), { recursive: true })
  for (const [path, bytes] of Object.entries(contents)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
}

async function expectSame(one: string, other: string): Promise<void> {
  const paths = await tree(one)
  expect(await tree(other)).toEqual(paths)
  for (const path of paths.filter((name) => !name.endsWith('/'))) {
    expect((await readFile(join(other, path))).equals(await readFile(join(one, path))), path).toBe(true)
  }
}

describe.skipIf(!hasTar)(`the system's tar${hasTar ? '' : ' (skipped: GNU tar is not installed)'}`, () => {
  it('reads what is packed here', async () => {
    const { outer, root, files } = await newFolder()
    await fill(root, { ...CONTENTS, ...LONG })
    await writeFile(join(outer, 'packed.tar'), files.readArchive())
    await mkdir(join(outer, 'unpacked'))
    const { stderr, status } = spawnSync('tar', ['-xf', 'packed.tar', '-C', 'unpacked'], {
      cwd: outer,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    await expectSame(root, join(outer, 'unpacked'))
  })

  it.each([
    ['--format=v7', CONTENTS],
    ['--format=oldgnu', { ...CONTENTS, ...LONG }],
    ['--format=gnu', { ...CONTENTS, ...LONG }],
    ['--format=ustar', CONTENTS],
    ['--format=posix', { ...CONTENTS, ...LONG }],
  ])('packs with %s what is unpacked here', async (format, contents) => {
    const { outer, root, files } = await newFolder()
    const source = join(outer, 'source')
    await fill(source, contents)
    for (const [index, compression] of ['--no-auto-compress', '--gzip'].entries()) {
      const bytes = execFileSync('tar', ['-c', format, compression, '-C', source, '.'], { maxBuffer: 1e8 })
      await files.writeArchive(bytes, `${index}`)
      await files.writeArchive(new Blob([bytes]).stream(), `${index} streamed`)
      await expectSame(source, join(root, `${index}`))
      await expectSame(source, join(root, `${index} streamed`))
    }
  })

  it('is refused with links, and says what to type instead', async () => {
    const { outer, root, files } = await newFolder()
    const source = join(outer, 'source')
    await fill(source, CONTENTS)
    execFileSync('ln', ['-s', 'a.txt', join(source, 'soft')])
    execFileSync('ln', [join(source, 'a.txt'), join(source, 'hard')])
    const failure = await files.writeArchive(execFileSync('tar', ['-c', '-C', source, '.'])).catch((error) => error)
    expect(failure).toMatchObject({ code: 'FILES_NOT_REGULAR', hint: expect.stringContaining('tar --dereference') })
    const typed = ['-c', '--dereference', '--hard-dereference', '-C', source, '.']
    await files.writeArchive(execFileSync('tar', typed))
    expect(await tree(root)).toEqual(await tree(source))
  })
})

describe('another library', () => {
  it('reads what is packed here', async () => {
    const { root, files } = await newFolder()
    await fill(root, { ...CONTENTS, ...LONG })
    const reader = extract()
    const names: string[] = []
    reader.on('entry', ({ name }, content, next) => {
      names.push(name)
      content.resume()
      content.on('end', next)
    })
    await pipeline(files.readArchive(), reader)
    expect(names.sort()).toEqual(await tree(root))
  })

  it('packs what is unpacked here', async () => {
    const { outer, root, files } = await newFolder()
    await fill(join(outer, 'source'), { ...CONTENTS, ...LONG })
    const packer = pack()
    packer.entry({ name: 'empty folder', type: 'directory' })
    for (const [name, bytes] of Object.entries({ ...CONTENTS, ...LONG })) packer.entry({ name }, Buffer.from(bytes))
    packer.finalize()
    await files.writeArchive(ReadableStream.from(packer as AsyncIterable<Uint8Array>))
    await expectSame(join(outer, 'source'), root)
  })
})
