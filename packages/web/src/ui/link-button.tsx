import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** A link to a screen that looks like a button. */
export const LinkButton = createLink(ButtonAnchor)

function ButtonAnchor(props: ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>) {
  return <Button component="a" {...props} />
}
