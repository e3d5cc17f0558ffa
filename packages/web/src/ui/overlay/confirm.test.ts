import { expect, it, vi } from 'vitest'
import { confirm, openQuestion } from './confirm.tsx'

const question = { message: 'Are you sure?', confirmLabel: 'Yes' }

it('resolves to the answer and notifies the component that shows the question', async () => {
  const seen = vi.fn()
  const stop = openQuestion.subscribe(seen)
  const answered = confirm(question)
  expect(openQuestion.get()).toMatchObject(question)
  openQuestion.get()?.answer(true)
  expect(await answered).toBe(true)
  expect(openQuestion.get()).toBeNull()
  expect(seen).toHaveBeenCalledTimes(2)
  stop()
})

it('a second question answers the first with no', async () => {
  const first = confirm(question)
  const second = confirm({ ...question, message: 'Really?' })
  expect(await first).toBe(false)
  expect(openQuestion.get()?.message).toBe('Really?')
  openQuestion.get()?.answer(true)
  expect(await second).toBe(true)
})
