import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useDelayedEdit } from './use-delayed-edit.ts'

const sent = vi.fn<(value: string) => void>()

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  sent.mockReset()
})

const show = (value: string) =>
  renderHook(({ value: shown }) => useDelayedEdit(shown, sent), { initialProps: { value } })

it('is shown at once and sent after a pause of 500 ms, once', () => {
  const { result } = show('')
  for (const text of ['p', 'pu', 'pum']) {
    act(() => result.current.edit(text))
    expect(result.current.text).toBe(text)
    act(() => void vi.advanceTimersByTime(499))
  }
  expect(sent).not.toHaveBeenCalled()
  act(() => void vi.advanceTimersByTime(1))
  expect(sent).toHaveBeenCalledExactlyOnceWith('pum')
})

it('is sent without the pause when it is asked for, and not again afterwards', () => {
  const { result } = show('')
  act(() => result.current.edit('pump'))
  act(() => result.current.flush())
  act(() => void vi.advanceTimersByTime(1000))
  expect(sent).toHaveBeenCalledExactlyOnceWith('pump')
})

it('gives way to an address that changed by itself, and not to its own echo', () => {
  const { result, rerender } = show('')
  act(() => result.current.edit('pump'))
  act(() => void vi.advanceTimersByTime(500))
  act(() => result.current.edit('pump b'))
  rerender({ value: 'pump' })
  expect(result.current.text).toBe('pump b')
  rerender({ value: 'valve' })
  expect(result.current.text).toBe('valve')
})
