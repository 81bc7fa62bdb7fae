import type { Sandbox } from '@codeact/spec'

const FIGURE = `
class Figure:
    def __init__(self, number): self.number = number
    def get_children(self): return ["background", "line"]
    def savefig(self, file, **_): file.write(b"PNG%d" % self.number)
`

const PYPLOT = `
from matplotlib.figure import Figure
_figures = []
def plot(number): _figures.append(Figure(number))
def get_fignums(): return list(range(len(_figures)))
def figure(number): return _figures[number]
def close(which): _figures.clear()
def show(): pass
`

/** A stand-in with the few functions that are asked, before the library itself, which is large, and no part of the contract. */
export async function writeMatplotlib(sandbox: Sandbox): Promise<void> {
  const { files } = sandbox
  await files.write('matplotlib/__init__.py', '')
  await files.write('matplotlib/figure.py', FIGURE)
  await files.write('matplotlib/pyplot.py', PYPLOT)
  await sandbox.execute('import os, sys\nsys.path.insert(0, os.getcwd())')
}
