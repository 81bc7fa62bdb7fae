import type { Sandbox } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { library, openSandbox, pngOf } from './data-science.ts'
import { slow } from './requirements.ts'

const found = await library('matplotlib')
const matplotlib = found.isMet ? slow : found

async function openWithPyplot(): Promise<Sandbox> {
  const sandbox = await openSandbox()
  expect(await sandbox.execute('import matplotlib.pyplot as plt')).toMatchObject({ status: 'ok', stderr: '' })
  return sandbox
}

describe.skipIf(!matplotlib.isMet)(`figures of matplotlib ${matplotlib.reason}`, () => {
  it('are shown by themselves, once, and nothing is said', async () => {
    const sandbox = await openSandbox()
    const code = [
      'import matplotlib, matplotlib.pyplot as plt',
      'plt.figure(figsize=(4, 3), dpi=100)',
      'plt.plot([1, 4, 9])',
      'plt.savefig("plot.png", bbox_inches="tight")',
      'print(matplotlib.get_backend())',
    ]
    const drawn = await sandbox.execute(code.join('\n'))
    expect(drawn).toMatchObject({ status: 'ok', stdout: 'agg\n', stderr: '', displays: [expect.anything()] })
    const { width, height, bytes } = pngOf(drawn.displays[0])
    expect(bytes.equals(await sandbox.files.read('plot.png'))).toBe(true)
    // Four inches by three, trimmed to what is drawn.
    expect([width / 400, height / 300].every((part) => part > 0.8 && part < 1.1)).toBe(true)
    expect(drawn.displays[0]?.['text/plain']).toBe('<Figure size 400x300 with 1 Axes>')
    expect(await sandbox.execute('1')).toMatchObject({ displays: [], stderr: '' })
    expect((await sandbox.files.list()).filter(({ path }) => !path.startsWith('.'))).toHaveLength(1)
  })

  it('are shown in the order in which they were made', async () => {
    const sandbox = await openWithPyplot()
    const code = 'for side in (2, 4):\n    plt.figure(figsize=(side, side))\n    plt.plot([side])'
    const widths = (await sandbox.execute(code)).displays.map((bundle) => pngOf(bundle).width)
    expect(widths).toEqual([expect.closeTo(200, -2), expect.closeTo(400, -2)])
    expect(widths[0]).toBeLessThan(widths[1] as number)
  })

  it('are shown by plt.show(), and the next plot begins anew', async () => {
    const sandbox = await openWithPyplot()
    const [alone] = (await sandbox.execute('plt.plot([2, 1])\nNone')).displays
    for (const backend of ['', 'import matplotlib\nmatplotlib.use("Agg")\n']) {
      const { displays, stderr } = await sandbox.execute(
        `${backend}plt.plot([1, 2])\nplt.show()\nplt.plot([2, 1])\nplt.show(block=False)`,
      )
      expect(displays).toHaveLength(2)
      expect(pngOf(displays[0]).bytes.equals(pngOf(alone).bytes)).toBe(false)
      expect(pngOf(displays[1]).bytes.equals(pngOf(alone).bytes)).toBe(true)
      expect(stderr).toBe('')
    }
  })

  it('are not shown once they are closed', async () => {
    const sandbox = await openWithPyplot()
    expect((await sandbox.execute('plt.plot([1])\nplt.close()')).displays).toEqual([])
    const code = 'first, _ = plt.subplots(figsize=(2, 2))\nsecond, _ = plt.subplots(figsize=(4, 4))\nplt.close(first)'
    const { displays } = await sandbox.execute(code)
    expect(displays.map((bundle) => bundle['text/plain'])).toEqual(['<Figure size 400x400 with 1 Axes>'])
  })

  it('that are the value of the cell are shown as that alone', async () => {
    const sandbox = await openWithPyplot()
    for (const code of [
      'fig, ax = plt.subplots()\nfig',
      'fig',
      'from matplotlib.figure import Figure\nFigure((2, 2))',
    ]) {
      const { value, displays } = await sandbox.execute(code)
      expect(pngOf(value).width).toBeGreaterThan(100)
      expect(displays).toEqual([])
    }
  })

  it('that the code displays are shown again only if more was drawn', async () => {
    const sandbox = await openWithPyplot()
    const once = await sandbox.execute('fig, ax = plt.subplots(layout="constrained")\nax.plot([1])\ndisplay(fig)')
    expect(once.displays.map((bundle) => pngOf(bundle).width)).toHaveLength(1)
    const twice = await sandbox.execute('fig, ax = plt.subplots()\ndisplay(fig)\nax.set_title("more")\nNone')
    const [before, after] = twice.displays.map((bundle) => pngOf(bundle).bytes)
    expect(twice.displays).toHaveLength(2)
    expect(before?.equals(after as Buffer)).toBe(false)
  })

  it('of a class of their own are figures too', async () => {
    const sandbox = await openWithPyplot()
    const code =
      'from matplotlib.figure import Figure\nclass Mine(Figure): pass\nplt.figure(FigureClass=Mine).add_subplot()\nNone'
    expect(pngOf((await sandbox.execute(code)).displays[0]).width).toBeGreaterThan(100)
  })

  it('on which nothing was drawn are not shown', async () => {
    const sandbox = await openWithPyplot()
    const { displays } = await sandbox.execute('plt.figure()\nplt.figure().suptitle("a title is something")\nNone')
    expect(displays).toHaveLength(1)
  })

  it('are shown of a cell that fails', async () => {
    const sandbox = await openWithPyplot()
    const failed = await sandbox.execute('plt.plot([1])\n1 / 0')
    expect(failed).toMatchObject({ status: 'error', error: { name: 'ZeroDivisionError' } })
    expect(failed.displays.map((bundle) => pngOf(bundle).width)).toHaveLength(1)
  })

  it('of a cell that is stopped are not drawn any more, which costs no state', async () => {
    const sandbox = await openWithPyplot()
    const code = [
      'plt.plot([1])',
      'plt.show()',
      'for n in range(20):',
      '    plt.figure()',
      '    plt.plot([n])',
      'print("drawn")',
      'while True: pass',
    ]
    const run = sandbox.execute(code.join('\n'))
    for await (const event of run) if (event.type === 'stdout-delta') run.abort()
    const { status, state, stderr, displays } = await run
    expect([status, state]).toEqual(['aborted', 'kept'])
    expect(stderr).toBe('[figures not shown, because the cell was stopped: 20]\n')
    const next = await sandbox.execute('plt.plot([1])\nlen(plt.get_fignums())')
    expect(next.value?.['text/plain']).toBe('1')
    expect(next.displays).toEqual(displays)
  })

  it('whose drawing does not end are given up with their cell', async () => {
    const sandbox = await openWithPyplot()
    const artist = [
      'from matplotlib.artist import Artist',
      'class Endless(Artist):',
      '    def draw(self, renderer):',
      '        while True: pass',
      'plt.figure().add_artist(Endless())',
      'None',
    ]
    const stuck = await sandbox.execute(artist.join('\n'), { timeoutMs: 1500 })
    expect(stuck).toMatchObject({ status: 'timeout', state: 'kept', displays: [] })
    expect(await sandbox.execute('plt.get_fignums()')).toMatchObject({ status: 'ok', value: { 'text/plain': '[]' } })
  })

  it('after a time-out are shown as ever', async () => {
    const sandbox = await openWithPyplot()
    const { displays } = await sandbox.execute('plt.plot([1])\nNone')
    const stopped = await sandbox.execute('plt.plot([2, 1])\nwhile True: pass', { timeoutMs: 1500 })
    expect(stopped).toMatchObject({ status: 'timeout', state: 'kept', displays: [] })
    expect((await sandbox.execute('plt.plot([1])\nNone')).displays).toEqual(displays)
    expect(displays).toHaveLength(1)
  })

  it('that cannot be drawn say why', async () => {
    const sandbox = await openWithPyplot()
    const { status, displays } = await sandbox.execute(
      'plt.figure(figsize=(1000, 1000)).add_subplot()\nplt.figure().add_subplot()\nNone',
    )
    expect(status).toBe('ok')
    expect(displays[0]).toEqual({
      'text/plain': expect.stringMatching(
        /^<Figure size 100000x100000 with 1 Axes>\n.*image\/png.*ValueError.*too large/,
      ),
    })
    expect(pngOf(displays[1]).width).toBeGreaterThan(100)
  })

  it("warn without a word of the kernel's", async () => {
    const sandbox = await openWithPyplot()
    const { stderr } = await sandbox.execute('plt.title("\\u4e2d")\nNone')
    expect(stderr).toMatch(/^UserWarning: Glyph 20013 .* missing from .*font.*\n$/)
    const mute = await sandbox.execute('import sys\nsys.stderr = None\nplt.title("\\u4e2d")\nNone')
    expect(mute.status).toBe('ok')
    expect(pngOf(mute.displays[0]).width).toBeGreaterThan(100)
  })

  it('of a cell that forks are shown once', async () => {
    const sandbox = await openWithPyplot()
    const code = 'import os\nplt.plot([1])\npid = os.fork()\nif pid: _ = os.waitpid(pid, 0)'
    expect(await sandbox.execute(code)).toMatchObject({ status: 'ok', stderr: '', displays: [expect.anything()] })
    expect(await sandbox.execute('plt.plot([1])\nNone')).toMatchObject({ displays: [expect.anything()] })
  })
})
