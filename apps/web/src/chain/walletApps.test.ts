import { describe, expect, test } from '@jest/globals'
import { walletAppsFor } from './walletApps.ts'

describe('walletAppsFor', () => {
  test('default: each app in the form that it documents', () => {
    expect(walletAppsFor('https://rates.example/fix?a=1&b=2')).toEqual([
      { name: 'metaMask', href: 'https://metamask.app.link/dapp/rates.example/fix' },
      {
        name: 'coinbaseWallet',
        href: 'https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Frates.example%2Ffix%3Fa%3D1%26b%3D2',
      },
      { name: 'rainbow', href: 'rainbow://dapp?url=https%3A%2F%2Frates.example%2Ffix%3Fa%3D1%26b%3D2' },
      {
        name: 'trustWallet',
        href: 'https://link.trustwallet.com/open_url?coin_id=60&url=https%3A%2F%2Frates.example%2Ffix%3Fa%3D1%26b%3D2',
      },
    ])
  })
})
