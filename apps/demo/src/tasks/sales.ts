import { fenced } from '@codeact/parsers'
import type { Demonstration } from './demonstration.ts'

export const sales: Demonstration = {
  name: 'sales',
  about: 'Markdown blocks, step by step, until a line says DONE',
  parser: fenced(),
  questions: [
    {
      title: "week's sales",
      task: `These are the week's orders: product, units, price of one.

Widget A, 4, 12.50
Widget B, 5, 19.50
Widget C, 1, 39.00
Widget A, 6, 12.50
Widget B, 4, 19.50
Widget C, 2, 39.00
Widget A, 3, 12.50

What is the revenue, which product sold the most units, and what is an order worth on average? When you know, begin a line with DONE and sum it up.`,
      expected: ['455.00', 'Widget A', '13', '65.00'],
    },
  ],
}
