import { CodeActError } from '@codeact/spec'

/** A sandbox keeps eight checkpoints, of which one is for the step to come. */
const MOST = 7

/**
 * How many steps with code can be undone; undefined where none can.
 *
 * @throws CodeActError `OPTION_INVALID`
 */
export function undoLimit(undo: boolean | number = false): number | undefined {
  if (typeof undo === 'boolean') return undo ? 1 : undefined
  if (Number.isInteger(undo) && undo >= 1 && undo <= MOST) return undo
  throw new CodeActError('OPTION_INVALID', `undo must be true, or a number of steps from 1 to ${MOST}, not ${undo}.`)
}
