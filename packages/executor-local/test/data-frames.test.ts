import { describe, expect, it } from 'vitest'
import { library, openSandbox, pngOf } from './data-science.ts'

const pandas = await library('pandas')
const matplotlib = await library('matplotlib')
const jinja2 = await library('jinja2')

async function openWithPandas() {
  const sandbox = await openSandbox()
  await sandbox.execute(
    'import numpy as np, pandas as pd\ndf = pd.DataFrame({"name": ["Ada", "Bob"], "age": [36, 41]})',
  )
  return sandbox
}

const TEXT = '  name  age\n0  Ada   36\n1  Bob   41'
const TABLE = expect.stringMatching(/<table[\s\S]*<th>name<\/th>[\s\S]*<td>Ada<\/td>\s*<td>36<\/td>[\s\S]*<\/table>/)

describe.skipIf(!pandas.isMet)(`data frames of pandas ${pandas.reason}`, () => {
  it('are text and HTML, as a value and displayed', async () => {
    const sandbox = await openWithPandas()
    const { value, displays, stderr } = await sandbox.execute('display(df)\ndf')
    expect(value).toEqual({ 'text/plain': TEXT, 'text/html': TABLE })
    expect(displays).toEqual([value])
    expect(stderr).toBe('')
  })

  it.each([
    ['long', 'np.arange(2_000_000).reshape(-1, 2)', '[1000000 rows x 2 columns]', '1000000 rows × 2 columns'],
    ['wide', 'np.arange(2_000_000).reshape(2, -1)', '[2 rows x 1000000 columns]', '2 rows × 1000000 columns'],
  ])('that are %s are cut to some rows and columns, with their size', async (_, cells, text, html) => {
    const sandbox = await openWithPandas()
    const { value } = await sandbox.execute(`pd.DataFrame(${cells})`)
    expect(value).toEqual({ 'text/plain': expect.stringContaining(text), 'text/html': expect.stringContaining(html) })
    expect(value?.['text/plain'].length).toBeLessThan(2000)
    expect(value?.['text/html']?.length).toBeLessThan(10_000)
  })

  it('that are too large to be sent lose their HTML, and say so', async () => {
    const sandbox = await openWithPandas()
    const code = 'pd.set_option("display.max_colwidth", None)\npd.DataFrame({"text": ["x" * 11_000_000]})'
    const { value } = await sandbox.execute(code)
    expect(Object.keys(value ?? {})).toEqual(['text/plain'])
    expect(value?.['text/plain']).toMatch(/characters left out …\][\s\S]*\[text\/html of \d+ characters left out\]$/)
    expect(value?.['text/plain'].length).toBeLessThan(201_000)
  })

  it('have columns, which are text', async () => {
    const sandbox = await openWithPandas()
    expect((await sandbox.execute('df.age')).value).toEqual({
      'text/plain': '0    36\n1    41\nName: age, dtype: int64',
    })
    const { value } = await sandbox.execute('pd.Series(range(1_000_000))')
    expect(value).toEqual({ 'text/plain': expect.stringMatching(/^0 +0\n[\s\S]*\nLength: 1000000, dtype: int64$/) })
    expect(value?.['text/plain'].length).toBeLessThan(1000)
  })

  it.skipIf(!jinja2.isMet)(`can be styled ${jinja2.reason}`, async () => {
    const sandbox = await openWithPandas()
    const { value } = await sandbox.execute('df.style.highlight_max(subset=["age"], color="gold")')
    expect(value).toEqual({
      'text/plain': expect.stringContaining('Styler'),
      'text/html': expect.stringMatching(/background-color: gold[\s\S]*<td[^>]*>Ada<\/td>/),
    })
  })

  it.skipIf(!matplotlib.isMet)(`can be plotted ${matplotlib.reason}`, async () => {
    const sandbox = await openWithPandas()
    const { value, displays, stderr } = await sandbox.execute('df.plot(x="name", kind="bar")')
    expect(value?.['text/plain']).toMatch(/^<Axes/)
    expect(displays.map((bundle) => pngOf(bundle).width)).toHaveLength(1)
    expect(stderr).toBe('')
  })

  it('and arrays of numpy are listed with shape and size', async () => {
    const sandbox = await openWithPandas()
    await sandbox.execute(
      'array = np.zeros((3, 4))\nseries = df.age\nindex = pd.Index([1, 2, 3])\nnumber = np.float64(1)',
    )
    expect(await sandbox.inspect?.()).toMatchObject([
      { name: 'df', type: 'DataFrame', shape: '(2, 2)', size: expect.any(Number) },
      { name: 'array', type: 'ndarray', shape: '(3, 4)', size: 96 },
      { name: 'series', type: 'Series', shape: '(2,)', size: expect.any(Number) },
      { name: 'index', shape: '(3,)', size: 24 },
      { name: 'number', type: 'float64', shape: '()', size: 8 },
    ])
  })

  it('are listed without asking what they hold', async () => {
    const sandbox = await openWithPandas()
    const code = [
      'asked = []',
      'class Item:',
      '    def __sizeof__(self): asked.append("size"); return 1',
      'items = pd.DataFrame({"nbytes": [Item(), Item()], "shape": [1, 2], "memory_usage": [1, 2]})',
    ]
    await sandbox.execute(code.join('\n'))
    const found = (await sandbox.inspect?.())?.find(({ name }) => name === 'items')
    expect(found).toMatchObject({ shape: '(2, 3)', size: expect.any(Number) })
    expect((await sandbox.execute('asked')).value?.['text/plain']).toBe('[]')
  })

  it('and arrays of numpy are cut in their own way', async () => {
    const sandbox = await openWithPandas()
    const text = async (code: string) => (await sandbox.execute(code)).value
    expect(await text('np.array([[1.5, 2], [3, 4]])')).toEqual({
      'text/plain': 'array([[1.5, 2. ],\n       [3. , 4. ]])',
    })
    expect(await text('np.arange(1_000_000)')).toEqual({
      'text/plain': 'array([     0,      1,      2, ..., 999997, 999998, 999999])',
    })
  })
})
