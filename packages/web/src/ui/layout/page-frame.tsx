import { Box, Group, Paper, Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './page-frame.module.css'

/** A screen that mainly shows another page in a frame, which extends to the bottom of the window. */
export function FramedPage({ children }: { children: ReactNode }) {
  return (
    <Stack gap={14} mih={420} className={styles.page}>
      {children}
    </Stack>
  )
}

/** The frame. `waiting` covers and hides the page in it (an `iframe`, once its address is known) until it is null. */
export function PageFrame({ waiting, children }: { waiting: ReactNode; children?: ReactNode }) {
  return (
    <Paper withBorder shadow="xs" pos="relative" flex={1} mih={0} className={styles.frame}>
      {waiting !== null && (
        <Box pos="absolute" inset={0} className={styles.frame}>
          {waiting}
        </Box>
      )}
      {children}
    </Paper>
  )
}

/** Title of a screen, a note below it, and controls at the end of the row. */
export function PageHeader(props: { title: ReactNode; crumbs?: ReactNode; note?: ReactNode; children?: ReactNode }) {
  return (
    <Group component="header" justify="space-between" align="flex-end" gap="12px 24px">
      <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
        {props.crumbs !== undefined && (
          <Text component="div" c="dimmed" mb={4}>
            {props.crumbs}
          </Text>
        )}
        <h1>{props.title}</h1>
        {props.note !== undefined && (
          <Text c="dimmed" mt={3} textWrap="pretty">
            {props.note}
          </Text>
        )}
      </Box>
      {props.children !== undefined && <Group gap={8}>{props.children}</Group>}
    </Group>
  )
}

/** Breadcrumb: a link to the list, and the current item. */
export function Breadcrumb({ link, current }: { link: ReactNode; current: string }) {
  return (
    <nav aria-label="Breadcrumb">
      <Group component="ol" gap={0} p={0} m={0} className={styles.crumbs}>
        <li>{link}</li>
        <li aria-current="page">{current}</li>
      </Group>
    </nav>
  )
}

/** Navigation between the parts of an area, each with its own address. The router marks the current link. */
export function PartLinks({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // On a phone the links are wider than the screen.
  useEffect(() => scrollToCurrent(nav.current), [path])
  return (
    <nav ref={nav} className={styles.parts} aria-label={label}>
      {children}
    </nav>
  )
}

/** Scrolls horizontally only: `scrollIntoView` would also move the page. */
function scrollToCurrent(nav: HTMLElement | null) {
  const current = nav?.querySelector('[aria-current]')
  if (!nav || !current) return
  const [frame, link] = [nav.getBoundingClientRect(), current.getBoundingClientRect()]
  if (link.left < frame.left) nav.scrollLeft += link.left - frame.left
  else if (link.right > frame.right) nav.scrollLeft += link.right - frame.right
}

/** Round links to the sections of a screen, wrapped over several lines. */
export function PillLinks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group component="nav" gap={6} className={styles.pills} aria-label={label}>
      {children}
    </Group>
  )
}
