import { expect, it } from 'vitest'
import { UnderWay } from '../../platform/under-way.ts'
import { BatchAdmission } from './batch-admission.ts'

const never = { batchesWhenSlow: 0, slowMs: Number.POSITIVE_INFINITY }

it('bounds the batches of one gateway', () => {
  const admission = new BatchAdmission({ perGateway: 2, batches: 10, bytes: 100, ...never })
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
  const admission = new BatchAdmission({ perGateway: 9, batches: 3, bytes: 100, ...never })
  admission.enter('a', 60)
  expect(admission.enter('b', 50)).toBe('server')
  admission.enter('b', 30)
  admission.enter('c', 0)
  expect(admission.enter('d', 0)).toBe('server')
})

it('lets fewer in while the oldest waits too long to be answered in time', () => {
  let now = 0
  const limits = { perGateway: 9, batches: 9, bytes: 100, batchesWhenSlow: 2, slowMs: 2000 }
  const admission = new BatchAdmission(limits, new UnderWay(() => now))
  const leave = admission.enter('a', 1)
  admission.enter('b', 1)
  admission.enter('c', 1)
  now = 2001
  expect(admission.enter('d', 1)).toBe('server')
  if (typeof leave === 'function') leave()
  expect(admission.enter('d', 1)).toBe('server')
  now = 0
  expect(admission.enter('d', 1)).toBeTypeOf('function')
})
