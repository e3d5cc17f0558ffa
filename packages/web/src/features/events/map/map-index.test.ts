import { expect, test } from 'vitest'
import { MapIndex, type WorkerQuestion } from './map-index.ts'

/** Simulates the worker; the test sets its answers. */
class FakeWorker extends EventTarget {
  asked: WorkerQuestion[] = []
  handedOver: Transferable[] = []
  isTerminated = false

  postMessage(question: WorkerQuestion, transfer: Transferable[]) {
    this.asked.push(question)
    this.handedOver.push(...transfer)
  }

  terminate() {
    this.isTerminated = true
  }

  answer(data: unknown) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

function anIndex() {
  const worker = new FakeWorker()
  return { worker, index: new MapIndex(worker as unknown as Worker) }
}

test('answers reach their requests in any order; bytes are transferred', async () => {
  const { worker, index } = anIndex()
  const bytes = new ArrayBuffer(8)
  const loaded = index.ask('load', bytes, 4)
  const clusters = index.ask('clustersIn', { zoom: 4, south: 0, west: 0, north: 1, east: 1 }, 1)
  const [first, second] = worker.asked.map(({ id }) => id)
  worker.answer({ id: second, result: [] })
  worker.answer({ id: first, result: { generation: 1 } })
  expect(await clusters).toEqual([])
  expect(await loaded).toEqual({ generation: 1 })
  expect(worker.handedOver).toEqual([bytes])
})

test('an error in the worker rejects the request that caused it, and no other', async () => {
  const { worker, index } = anIndex()
  const question = index.ask('load', new ArrayBuffer(0), 4)
  worker.answer({ id: worker.asked[0]?.id, problem: 'That is no answer.' })
  await expect(question).rejects.toThrow('That is no answer.')
  expect(index.hasFailed).toBe(false)
})

test('a worker that fails rejects earlier and later requests', async () => {
  const { worker, index } = anIndex()
  const before = index.ask('load', new ArrayBuffer(0), 4)
  worker.dispatchEvent(new Event('error'))
  await expect(before).rejects.toThrow('could not be calculated')
  await expect(index.ask('load', new ArrayBuffer(0), 4)).rejects.toThrow('could not be calculated')
  expect(index.hasFailed).toBe(true)
})

test('each index has a name of its own, and ends its worker', () => {
  const [one, other] = [anIndex(), anIndex()]
  expect(one.index.id).not.toBe(other.index.id)
  one.index.close()
  expect(one.worker.isTerminated).toBe(true)
})
