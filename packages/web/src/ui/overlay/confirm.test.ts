import { expect, it, vi } from 'vitest'
import { confirm, currentQuestion, subscribeToQuestions } from './confirm.tsx'

const question = { message: 'Are you sure?', confirmLabel: 'Yes' }

it('resolves to the answer and notifies the component that shows the question', async () => {
  const seen = vi.fn()
  const stop = subscribeToQuestions(seen)
  const answered = confirm(question)
  expect(currentQuestion()).toMatchObject(question)
  currentQuestion()?.answer(true)
  expect(await answered).toBe(true)
  expect(currentQuestion()).toBeNull()
  expect(seen).toHaveBeenCalledTimes(2)
  stop()
})

it('a second question answers the first with no', async () => {
  const first = confirm(question)
  const second = confirm({ ...question, message: 'Really?' })
  expect(await first).toBe(false)
  expect(currentQuestion()?.message).toBe('Really?')
  currentQuestion()?.answer(true)
  expect(await second).toBe(true)
})
