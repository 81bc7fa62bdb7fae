/**
 * What the cases of `describeKernel()` need said in a language. Each is a whole cell, which ends as the language's cells do, and
 * to which another can be added after a line end. Where a value is asked for, it is the last expression's, or for a language
 * without them what the cell prints. What is printed is printed with a line end, where nothing else is said.
 */
export interface Snippets {
  /** Sets a variable `x` to 40. */
  readonly setX: string
  /** The value of `x` and 2 more: 42. */
  readonly useX: string
  /** Adds 1 to `x`. */
  readonly addToX: string
  /** Defines a function. */
  readonly define: string
  /** The value that the function gives: 7. */
  readonly useDefined: string
  /** Makes a folder `sub`, and makes it the working directory. */
  readonly enterFolder: string
  /** Prints the path of the working directory. */
  readonly printFolder: string
  /** A value that spans lines, and is 10. */
  readonly overLines: string
  /** Prints `before`, and then fails, with an error that has a name and a message. */
  readonly fail: string
  /** Matches the whole of that error's traceback: the user's lines, no line of the kernel's, and at its end name and message. */
  readonly failure: RegExp
  /** A cell that the language cannot read. */
  readonly malformed: string
  /** Prints `out` on stdout and `err` on stderr. */
  readonly twoStreams: string
  /** Prints `first`, waits half a second, and prints `second`. */
  readonly slowly: string
  /** Prints the letter `x` 100 000 times without a line end, between the lines `begin` and `end`. */
  readonly flood: string
  /** Writes the bytes 61 FF FE 62 0A to stdout. */
  readonly rawBytes: string
  /** Prints `a`, runs another process that prints `b`, and prints `c`. */
  readonly childOutput: string
  /** Takes `sys.stdout` or its like away, as far as the language can. */
  readonly breakOutput: string
  /** Prints `before`, shows `<b>shown</b>` as HTML, and prints `after`. */
  readonly show: string
  /** Calls the tool `add` with 1 and 2; the value is 3. */
  readonly callTool: string
  /** Calls the tool `minus` with 2 as `b` and 5 as `a`, by these names and in this order; the value is 3. */
  readonly callByName: string
  /** Calls the tool `refuse`, which fails with the message `out of luck`, catches that, and prints the message. */
  readonly catchToolError: string
  /** Calls the tool `add` with 1 alone, catches what comes of it, and prints the message. */
  readonly catchMisuse: string
  /** Calls the tool `tell`, which gives a text, and passes that text to the tool `take`. */
  readonly passOn: string
  /** Prints `partial` and then never ends, but can be interrupted. */
  readonly endless: string
  /** The same, and does what it can not to be interrupted. */
  readonly stubborn: string
  /** Starts a process that adds to the file `alive` ten times a second for a minute, and does not wait for it. */
  readonly leaveChild: string
  /** Ends its own process with exit code 3. */
  readonly exit: string
  /** Ends its own process with the signal SIGKILL. */
  readonly die: string
  /** Reads the file `in.txt` in the working directory, and writes what it holds to `out.txt`. */
  readonly copyFile: string
  /** Makes a symbolic link `link` to `/etc/passwd`. */
  readonly linkOut: string
}
