import { PAGE_SETTINGS_META } from '@benchwatch/contract/page-settings'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { SupportContact } from './support-contact.tsx'

afterEach(() => {
  cleanup()
  document.head.querySelector(`meta[name=${PAGE_SETTINGS_META}]`)?.remove()
  vi.unstubAllGlobals()
})

it('the support e-mail address of this deployment is shown, to be written to, with what is running', async () => {
  const told = document.createElement('meta')
  told.name = PAGE_SETTINGS_META
  told.content = JSON.stringify({ supportEmail: 'desk@lab.example' })
  document.head.append(told)
  vi.stubGlobal('fetch', async () => Response.json({ status: 'ok', version: '2.12.2', environment: 'staging' }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SupportContact />
    </QueryClientProvider>,
  )
  const link = screen.getByRole('link', { name: 'desk@lab.example' })
  expect(link.getAttribute('href')).toBe('mailto:desk@lab.example')
  expect(await screen.findByText('Version 2.12.2 · staging')).toBeTruthy()
})
