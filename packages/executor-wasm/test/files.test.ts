import { expect, it } from 'vitest'
import { evaluate, openSandbox } from './sandboxes.ts'

it('what the host wrote is there again after state was lost; what code wrote is not', async () => {
  const sandbox = await openSandbox({}, { files: { 'in/data.csv': 'a,b\n1,2\n', gone: 'x' } })
  await sandbox.files.write('more', new Uint8Array(9_000_000).fill(65))
  await sandbox.files.remove('gone')
  await evaluate(sandbox, 'open("made", "w").write("by code")\nopen("in/data.csv", "a").write("3,4")')
  expect((await sandbox.execute('import os\nos._exit(1)')).state).toBe('lost')
  expect(await evaluate(sandbox, 'import os\nsorted(os.listdir(".")), open("in/data.csv").read()')).toBe(
    "(['in', 'more'], 'a,b\\n1,2\\n')",
  )
  expect(await evaluate(sandbox, 'open("more").read() == "A" * 9_000_000')).toBe('True')
})

it('folders that the host made are there again, too, also those of an archive', async () => {
  const sandbox = await openSandbox()
  await sandbox.files.write('from/a/b', 'x')
  await evaluate(sandbox, 'import os\nos.mkdir("from/none")')
  await sandbox.files.writeArchive(sandbox.files.readArchive('from'), 'to')
  await sandbox.files.remove('from')
  expect((await sandbox.execute('import os\nos._exit(1)')).state).toBe('lost')
  expect(await evaluate(sandbox, 'import os\nsorted(os.walk("."))')).toBe(
    "[('.', ['to'], []), ('./to', ['a', 'none'], []), ('./to/a', [], ['b']), ('./to/none', [], [])]",
  )
})

it('a file that is larger than the disk is refused before it fills the memory of the host', async () => {
  const sandbox = await openSandbox({ limits: { disk: '2m' } })
  let given = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      given += 100_000
      controller.enqueue(new Uint8Array(100_000))
    },
  })
  await expect(sandbox.files.write('big', endless)).rejects.toMatchObject({
    code: 'FILES_FAILED',
    message: expect.stringContaining('No space left'),
  })
  expect(given).toBeLessThan(3_000_000)
  expect(await sandbox.files.list()).toEqual([])
})

it('can be used while a cell waits for a tool, so a tool can hand over a file', async () => {
  const sandbox = await openSandbox(
    {},
    {
      tools: [
        {
          name: 'fetch_report',
          description: 'Puts report.txt into the working directory.',
          parameters: { jsonSchema: { type: 'object', properties: {} }, validate: (value) => ({ ok: true, value }) },
          execute: async () => {
            await sandbox.files.write('report.txt', 'all is well')
            return 'report.txt'
          },
        },
      ],
    },
  )
  expect(await evaluate(sandbox, 'open(fetch_report()).read()')).toBe("'all is well'")
})

it('folders, links and devices are not files, and are not followed', async () => {
  const sandbox = await openSandbox()
  await evaluate(
    sandbox,
    'import os\nos.mkdir("folder")\nos.symlink("/dev/codeact", "wire")\nos.symlink("/lib", "out")',
  )
  await expect(sandbox.files.read('folder')).rejects.toMatchObject({ code: 'FILES_NOT_REGULAR' })
  for (const path of ['wire', 'out/python314.zip']) {
    await expect(sandbox.files.read(path)).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
  }
  await expect(sandbox.files.write('out/new/x', 'x')).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
  expect(await sandbox.files.list()).toEqual([
    { path: 'folder', type: 'directory', size: 0 },
    { path: 'out', type: 'link', size: 0 },
    { path: 'wire', type: 'link', size: 0 },
  ])
})
