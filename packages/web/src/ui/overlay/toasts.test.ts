import { notifications } from '@mantine/notifications'
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/http.ts'
import { useFailureToast } from './toasts.ts'

const show = vi.spyOn(notifications, 'show').mockReturnValue('')

afterEach(() => {
  cleanup()
  show.mockClear()
})

function failed(status: number, code: string, errorUpdatedAt = 1) {
  return { isError: true, error: new ApiError('Why it failed.', { status, code }), errorUpdatedAt }
}

it('says once for each failed attempt what failed, and why', () => {
  const { rerender } = renderHook((query) => useFailureToast(query, 'Could not get instruments'), {
    initialProps: failed(503, 'unavailable'),
  })
  expect(show).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ title: 'Could not get instruments', message: 'Why it failed.' }),
  )
  rerender(failed(503, 'unavailable', 2))
  expect(show).toHaveBeenCalledTimes(2)
})

it.each([
  [403, 'forbidden'],
  [401, 'session-expired'],
])('says nothing of %d %s', (status, code) => {
  renderHook(() => useFailureToast(failed(status, code), 'Could not get instruments'))
  expect(show).not.toHaveBeenCalled()
})
