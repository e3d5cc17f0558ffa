import { expect, it } from 'vitest'
import { BatchAdmission } from './batch-admission.ts'

it('bounds the batches of one gateway', () => {
  const admission = new BatchAdmission({ perGateway: 2, batches: 10, bytes: 100 })
  const leave = admission.enter('a', 1)
  admission.enter('a', 1)
  expect(admission.enter('a', 1)).toBe('gateway')
  expect(admission.enter('b', 1)).toBeTypeOf('function')
  if (typeof leave === 'function') {
    leave()
    leave()
  }
  expect(admission.enter('a', 1)).toBeTypeOf('function')
  expect(admission.enter('a', 1)).toBe('gateway')
})

it('bounds batches and bytes of all', () => {
  const admission = new BatchAdmission({ perGateway: 9, batches: 3, bytes: 100 })
  admission.enter('a', 60)
  expect(admission.enter('b', 50)).toBe('server')
  admission.enter('b', 30)
  admission.enter('c', 0)
  expect(admission.enter('d', 0)).toBe('server')
})
