import { problem } from '../platform/http/problem.ts'

/** The same for an instrument that is not there and for one that the caller may not see. */
export function noSuchInstrument() {
  return problem(
    'not-found',
    'Instrument could not be found. Check its id; it may belong to a customer that you do not see.',
  )
}
