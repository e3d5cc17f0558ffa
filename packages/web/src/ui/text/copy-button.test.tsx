import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CopyButton } from './copy-button.tsx'

const write = vi.fn<(text: string) => Promise<void>>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(write)
  render(
    <MantineProvider env="test">
      <Notifications />
      <CopyButton text="IP-20431187" label="Copy product ID" />
    </MantineProvider>,
  )
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.useRealTimers()
  vi.restoreAllMocks()
  write.mockReset()
})

async function press() {
  fireEvent.click(screen.getByRole('button', { name: 'Copy product ID' }))
  await act(() => vi.advanceTimersByTimeAsync(0))
}
const turn = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

it('copies and confirms it for 2 seconds, from the last press on', async () => {
  await press()
  expect(write).toHaveBeenCalledWith('IP-20431187')
  expect(screen.getByRole('status').textContent).toBe('Copied')
  await turn(1500)
  await press()
  await turn(1999)
  expect(screen.getByRole('status').textContent).toBe('Copied')
  await turn(1)
  expect(screen.getByRole('status').textContent).toBe('')
})

it('says so where the browser refuses, and confirms nothing', async () => {
  write.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
  await press()
  expect(screen.getByText('Could not copy')).toBeTruthy()
  expect(screen.queryByText('Copied')).toBeNull()
})
