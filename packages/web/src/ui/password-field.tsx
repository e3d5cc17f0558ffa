import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'

/** A password with a button that shows it, and says which of the two it will do. */
export function PasswordField(props: PasswordInputProps) {
  const [isShown, setShown] = useState(false)
  return (
    <PasswordInput
      required
      withAsterisk={false}
      spellCheck={false}
      autoCapitalize="none"
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{
        'aria-label': isShown ? 'Hide password' : 'Show password',
        tabIndex: 0,
        style: { color: 'var(--bw-ink-2)' },
      }}
      {...props}
    />
  )
}
