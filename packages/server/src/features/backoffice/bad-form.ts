import type { FieldError } from '@benchwatch/contract/administration/backoffice-forms'
import { type ProblemError, problem } from '../../platform/http/problem.ts'

/** Returns the problem with one error per field. Clients show the first sentence (wire 10). */
export function badForm(
  code: 'bad-event' | 'bad-log' | 'validation-failed',
  errors: readonly FieldError[],
): ProblemError {
  return problem(code, errors[0]?.message ?? '', {
    errors: errors.map(({ path, message }) => ({ path: `body.${path}`, message })),
  })
}
