import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { rememberedPath } from '../../lib/remembered-path.ts'
import { LoginForm } from './login-form.tsx'

/** For people who prove who they are at their organisation: one button, which leads there and back again. */
export function OrganisationForm(props: {
  product: string
  startUrl: string
  notice?: ReactNode
  failure: Error | null
}) {
  return (
    <LoginForm
      title={`Log in to ${props.product}`}
      lead="You sign in where you always do, and come back here."
      notice={props.notice}
      mode="normal"
      failure={props.failure}
      onSubmit={() => window.location.assign(startAddress(props.startUrl))}
    >
      <Button type="submit" size="md" fullWidth autoFocus>
        Sign in with your organisation
      </Button>
    </LoginForm>
  )
}

/** The way there, with the page to come back to. */
function startAddress(startUrl: string): string {
  const address = new URL(startUrl, window.location.href)
  address.searchParams.set('returnTo', rememberedPath())
  return address.href
}
