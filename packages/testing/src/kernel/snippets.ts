/**
 * What the cases of `describeKernel()` need said in a language. Each is a whole cell, which ends as the language's cells do;
 * where a value is asked for, it is the last expression's, or for a language without them what the cell prints.
 */
export interface Snippets {
  /** Sets a variable `x` to 40. */
  readonly setX: string
  /** The value of `x` and 2 more: 42. */
  readonly useX: string
  /** A value that spans lines, and is 10. */
  readonly overLines: string
  /** Prints `before`, with a line end, and then fails. */
  readonly fail: string
  /** Text of which the error's traceback, or what was printed as one, is to hold. */
  readonly failure: RegExp
  /** A cell that the language cannot read. */
  readonly malformed: string
  /** Prints `out` on stdout and `err` on stderr, each with a line end. */
  readonly twoStreams: string
  /** Prints the letter `x` 100 000 times without a line end, between the lines `begin` and `end`. */
  readonly flood: string
  /** Prints `partial` with a line end and then never ends, but can be interrupted. */
  readonly endless: string
  /** The same, and does what it can not to be interrupted. */
  readonly stubborn: string
  /** Ends its own process with exit code 3. */
  readonly exit: string
  /** Calls the tool `add` with 1 and 2; the value is 3. */
  readonly callTool: string
  /** Calls the tool `refuse`, which fails with the message `out of luck`, catches that, and prints the message. */
  readonly catchToolError: string
  /** Takes `sys.stdout` or its like away, as far as the language can. */
  readonly breakOutput: string
}
