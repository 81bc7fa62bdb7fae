import { expect, it } from 'vitest'
import { mimeBundle } from '../../src/notebook/mime-bundle.ts'

it("results of E2B's notebook are told by media types, what is no text as JSON", () => {
  const raw = {
    text: '<Figure>',
    html: '<b>',
    markdown: '*m*',
    svg: '<svg/>',
    png: 'cG5n',
    jpeg: 'anBn',
    pdf: 'cGRm',
    latex: '$x$',
    json: { a: [1] },
    javascript: 'f()',
    data: { x: [1] },
    chart: { type: 'line' },
    extra: { 'application/vnd.own+json': { b: 2 }, 'text/own': 'own', odd: 1 },
    type: 'result',
    is_main_result: true,
    nothing: undefined,
  }
  expect(mimeBundle(raw)).toEqual({
    'text/plain': '<Figure>',
    'text/html': '<b>',
    'text/markdown': '*m*',
    'image/svg+xml': '<svg/>',
    'image/png': 'cG5n',
    'image/jpeg': 'anBn',
    'application/pdf': 'cGRm',
    'text/latex': '$x$',
    'application/json': '{"a":[1]}',
    'application/javascript': 'f()',
    'application/vnd.e2b.data+json': '{"x":[1]}',
    'application/vnd.e2b.chart+json': '{"type":"line"}',
    'application/vnd.own+json': '{"b":2}',
    'text/own': 'own',
  })
  expect(mimeBundle({ text: 'x', html: null, png: undefined })).toEqual({ 'text/plain': 'x' })
})
