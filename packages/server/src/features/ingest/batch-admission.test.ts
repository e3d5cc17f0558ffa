import { expect, it } from 'vitest'
import { UnderWay } from '../../platform/under-way.ts'
import { type Admitted, BatchAdmission } from './batch-admission.ts'

function admitted(outcome: ReturnType<BatchAdmission['enter']>): Admitted {
  if (typeof outcome === 'string') throw new Error(`It was refused: ${outcome}.`)
  return outcome
}

const never = { batchesWhenSlow: 0, slowMs: Number.POSITIVE_INFINITY }

it('bounds the batches of one gateway', () => {
  const admission = new BatchAdmission({ perGateway: 2, batches: 10, bytes: 100, ...never })
  const first = admitted(admission.enter('a', 1))
  admission.enter('a', 1)
  expect(admission.enter('a', 1)).toBe('gateway')
  expect(admission.enter('b', 1)).toBeTypeOf('object')
  first.leave()
  first.leave()
  expect(admission.enter('a', 1)).toBeTypeOf('object')
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
  const [first, second, third] = ['a', 'b', 'c'].map((gateway) => admitted(admission.enter(gateway, 1)))
  for (const batch of [first, second, third]) batch?.arrived(1)
  now = 2001
  expect(admission.enter('d', 1)).toBe('server')
  first?.leave()
  expect(admission.enter('d', 1)).toBe('server')
  now = 0
  expect(admission.enter('d', 1)).toBeTypeOf('object')
})

it('takes a batch that comes in slowly for no sign of a slow database', () => {
  let now = 0
  const limits = { perGateway: 9, batches: 9, bytes: 100, batchesWhenSlow: 1, slowMs: 2000 }
  const admission = new BatchAdmission(limits, new UnderWay(() => now))
  const slow = admitted(admission.enter('a', 1))
  now = 20_000
  expect(admission.enter('b', 1)).toBeTypeOf('object')
  slow.arrived(1)
  now = 23_000
  expect(admission.enter('c', 1)).toBe('server')
})

it('bounds what batches unpack to', () => {
  const admission = new BatchAdmission({ perGateway: 9, batches: 9, bytes: 100, ...never })
  const [first, second] = [admitted(admission.enter('a', 10)), admitted(admission.enter('a', 10))]
  expect(first.arrived(70)).toBe(true)
  expect(second.arrived(40)).toBe(false)
  expect(second.arrived(30)).toBe(true)
  expect(admission.enter('b', 1)).toBe('server')
  first.leave()
  expect(admission.enter('b', 70)).toBeTypeOf('object')
})
