import { expect, it } from 'vitest'
import { fieldProblems } from './field-problems.ts'
import { ApiError } from './http.ts'

const refused = (errors: { path: string; message: string }[]) =>
  new ApiError('Not understood', {
    status: 400,
    code: 'validation-failed',
    problem: {
      type: 'urn:benchwatch:error:validation-failed',
      title: 'Request not understood',
      status: 400,
      detail: 'Not understood',
      ErrorBody: 'Not understood',
      code: 'validation-failed',
      requestId: '1',
      errors,
    },
  })

it('names the field of the body, the list of a place in it, and the key of the address', () => {
  const error = refused([
    { path: 'body.timeZone', message: 'is not an IANA time zone' },
    { path: 'body.customers.3', message: 'is not registered' },
    { path: 'params.key', message: 'must have no blanks' },
    { path: 'body.timeZone', message: 'is too long' },
  ])
  expect(fieldProblems(error)).toEqual({
    timeZone: 'is not an IANA time zone',
    customers: 'is not registered',
    key: 'must have no blanks',
  })
})

it('finds nothing in errors without fields', () => {
  expect(fieldProblems(new ApiError('Gone', { status: 404, code: 'not-found' }))).toEqual({})
  expect(fieldProblems(new Error('no'))).toEqual({})
})
