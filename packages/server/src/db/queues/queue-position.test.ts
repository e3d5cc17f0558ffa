import { expect, test } from 'vitest'
import { QueuePosition } from './queue-position.ts'

const lookAt = async (position: QueuePosition, snapshotXid: string) => {
  let from: string | undefined
  await position.scan(async (start) => {
    from = start
    return { snapshotXid }
  })
  return from
}

test('a look continues at the horizon of the last one, and once a minute from the beginning', async () => {
  let now = 5
  const position = new QueuePosition(() => now)
  expect(await lookAt(position, '700')).toBe('0')
  expect(await lookAt(position, '700')).toBe('700')
  now += 59_999
  expect(await lookAt(position, '812')).toBe('700')
  now += 1
  expect(await lookAt(position, '812')).toBe('0')
  expect(await lookAt(position, '812')).toBe('812')
})

test('a look starts again after a failover that lost transactions', async () => {
  const position = new QueuePosition(() => 0)
  expect(await lookAt(position, '9999')).toBe('0')
  expect(await lookAt(position, '812')).toBe('9999')
  expect(await lookAt(position, '812')).toBe('0')
  expect(await lookAt(position, '813')).toBe('812')
})

test('a look that failed is repeated from the same place', async () => {
  let now = 0
  const position = new QueuePosition(() => now)
  const fail = () => position.scan(() => Promise.reject(new Error('The database is away.')))
  await expect(fail()).rejects.toThrow('away')
  expect(await lookAt(position, '31')).toBe('0')
  await expect(fail()).rejects.toThrow('away')
  expect(await lookAt(position, '32')).toBe('31')
  now += 60_000
  await expect(fail()).rejects.toThrow('away')
  expect(await lookAt(position, '33')).toBe('0')
})
