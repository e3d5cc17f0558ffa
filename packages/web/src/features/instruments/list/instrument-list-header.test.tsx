import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ServiceRange } from './instrument-list-header.tsx'

afterEach(cleanup)

it('writes its days as the instruments area does', () => {
  render(
    <MantineProvider env="test">
      <ServiceRange range={{ start: '2026-11-23', stop: '2027-02-22' }} now={0} onChange={vi.fn()} />
    </MantineProvider>,
  )
  const words = '23-Nov-2026 – 21-Feb-2027'
  expect(screen.getByRole('button', { name: `Next service: ${words}` }).textContent).toBe(words)
})
