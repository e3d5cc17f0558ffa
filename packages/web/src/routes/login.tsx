import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call } from '../lib/http.ts'
import { PRODUCT_NAME, productQuery } from '../lib/product.ts'
import { takeRememberedPath } from '../lib/remembered-path.ts'
import { acceptSignIn } from '../lib/session/session.ts'
import { useSession } from '../lib/session/use-session.ts'
import styles from './login.module.css'
import { loginMessage } from './login-messages.ts'

/** Sign-in with user id and password. Leads on to where the person wanted to go. */
export function LoginScreen() {
  const router = useRouter()
  const { status } = useSession()
  const product = useQuery(productQuery()).data?.product ?? PRODUCT_NAME
  const [userId, setUserId] = useState('')
  const [password, setPassword] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const passwordBox = useRef<HTMLInputElement>(null)
  const signIn = useMutation({
    mutationFn: () => call('signIn', { body: { userId: userId.trim(), password } }),
    onSuccess: acceptSignIn,
    onError: () => passwordBox.current?.select(),
  })

  // Also when another tab signed in: this one has a session then, too.
  useEffect(() => {
    if (status === 'signed-in') router.history.replace(takeRememberedPath())
  }, [status, router])

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (userId.trim() !== '' && password !== '' && !signIn.isPending) signIn.mutate()
  }

  return (
    <div className={styles.place}>
      <form className={styles.card} onSubmit={handleSubmit} noValidate>
        <h1>Log in to {product}</h1>
        {signIn.isError && (
          <p className={styles.error} role="alert">
            {loginMessage(signIn.error)}
          </p>
        )}
        <TextInput
          label="User id"
          name="username"
          size="md"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          withAsterisk={false}
          value={userId}
          error={isSubmitted && userId.trim() === '' && 'Enter your user id, usually your e-mail address.'}
          onChange={({ currentTarget }) => setUserId(currentTarget.value)}
        />
        <PasswordInput
          ref={passwordBox}
          label="Password"
          name="password"
          size="md"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          error={isSubmitted && password === '' && 'Enter your password.'}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
        />
        <Button type="submit" size="md" fullWidth mt={6} loading={signIn.isPending}>
          Login
        </Button>
      </form>
    </div>
  )
}
