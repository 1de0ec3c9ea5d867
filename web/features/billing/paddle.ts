import type { Pricing } from '#contract/billing.ts'

type Overlay = { settings: NonNullable<Pricing['paddle']>; transactionId: string; dark: boolean; onPaid: () => void }

/** The overlay's events, because it's set up once and opened for many payments. */
let listening: Pick<Overlay, 'onPaid'> | undefined

/**
 * Opens Paddle's own overlay for a transaction. Its code, and Paddle's script, load only now. Throws if the script
 * couldn't be loaded.
 */
export async function openPaddle({ settings, transactionId, dark, ...told }: Overlay): Promise<void> {
  const { CheckoutEventNames, getPaddleInstance, initializePaddle } = await import('@paddle/paddle-js')
  listening = told
  const paddle =
    getPaddleInstance('v1') ??
    (await initializePaddle({
      token: settings.clientToken,
      environment: settings.environment,
      eventCallback: ({ name }) => {
        if (name === CheckoutEventNames.CHECKOUT_COMPLETED) {
          // its last page would cover ours
          getPaddleInstance('v1')?.Checkout.close()
          listening?.onPaid()
        }
      },
    }))
  if (!paddle) throw new Error("Paddle's script could not be loaded")
  paddle.Checkout.open({
    transactionId,
    settings: { displayMode: 'overlay', theme: dark ? 'dark' : 'light', allowLogout: false },
  })
}
