import { type ComponentProps, memo, useLayoutEffect, useMemo, useRef } from 'react'

type InputProps = Omit<ComponentProps<'input'>, `on${string}`>
type Handlers = Pick<ComponentProps<'input'>, 'onChange' | 'onBlur' | 'onPointerMove'>

/**
 * An input that does not render again if only its handlers have changed. At every render of an input, React writes the
 * input's `name` and `type`, and views render every few seconds.
 */
export function Input({ onChange, onBlur, onPointerMove, ...rest }: InputProps & Handlers) {
  const latest = useRef<Handlers>({})
  useLayoutEffect(() => {
    latest.current = { onChange, onBlur, onPointerMove }
  })
  const handlers = useMemo<Handlers>(
    () => ({
      onChange: (event) => latest.current.onChange?.(event),
      onBlur: (event) => latest.current.onBlur?.(event),
      onPointerMove: (event) => latest.current.onPointerMove?.(event),
    }),
    [],
  )
  return <StableInput {...rest} {...handlers} />
}

const StableInput = memo((props: ComponentProps<'input'>) => <input {...props} />)
