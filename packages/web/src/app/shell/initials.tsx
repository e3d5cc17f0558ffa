import { Flex } from '@mantine/core'

/** A user's initials on a disc. */
export function Initials({ children }: { children?: string }) {
  return (
    <Flex
      component="span"
      align="center"
      justify="center"
      w={28}
      h={28}
      bdrs="50%"
      bg="var(--bw-accent-soft)"
      c="var(--bw-accent)"
      fw={680}
      fz={11}
      aria-hidden="true"
    >
      {children}
    </Flex>
  )
}
