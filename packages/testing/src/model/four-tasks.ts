/** One thing that is said in a session of four tasks: one step with code and one with the answer each. */
export interface Turn {
  readonly who: 'task' | 'observation' | 'reply'
  readonly text: string
}

export const TURNS: readonly Turn[] = [
  { who: 'task', text: 'What do the whole numbers from 1 to 10 add up to? Use the tools.' },
  {
    who: 'reply',
    text: `I let the tool do the adding, one number after the other.

<execute>
total = 0
for number in range(1, 11):
    total = add(total, number)
total
</execute>`,
  },
  { who: 'observation', text: '55' },
  { who: 'reply', text: 'The whole numbers from 1 to 10 add up to 55.' },
  { who: 'task', text: 'Take 5 plus 3, and double it.' },
  {
    who: 'reply',
    text: `Two blocks for two steps: the sum first, then its double.

<execute>
base = add(5, 3)
base
</execute>

<execute>
multiply(base, 2)
</execute>`,
  },
  { who: 'observation', text: '8' },
  { who: 'observation', text: '16' },
  { who: 'reply', text: '5 plus 3 is 8, and twice that is 16.' },
  { who: 'task', text: 'Work out the first 10 Fibonacci numbers. What is the last of them?' },
  {
    who: 'reply',
    text: `I write a function for it, since more of them may be wanted later. It adds with the tool.

<execute>
def fibonacci(count):
    """The first \`count\` Fibonacci numbers: 1, 1, 2, 3, ..."""
    numbers = []
    current, following = 1, 1
    while len(numbers) < count:
        numbers.append(current)
        current, following = following, add(current, following)
    return numbers

fibonacci(10)
</execute>`,
  },
  { who: 'observation', text: '[1, 1, 2, 3, 5, 8, 13, 21, 34, 55]' },
  { who: 'reply', text: 'The last of the first 10 Fibonacci numbers is 55.' },
  { who: 'task', text: 'And when you go on to the first 20?' },
  {
    who: 'reply',
    text: `The function is still there, so one line will do.

<execute>
fibonacci(20)[-1]
</execute>`,
  },
  { who: 'observation', text: '6765' },
  { who: 'reply', text: 'The last of the first 20 Fibonacci numbers is 6765.' },
]
