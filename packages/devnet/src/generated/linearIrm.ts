/*! SPDX-License-Identifier: MIT (LinearIrm) */
// Written by scripts/compile.ts.
export const linearIrmAbi = [
  {
    "inputs": [],
    "name": "BASE_APR",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "SLOPE_APR",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "loanToken",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collateralToken",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "oracle",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "irm",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "lltv",
            "type": "uint256"
          }
        ],
        "internalType": "struct MarketParams",
        "name": "params",
        "type": "tuple"
      },
      {
        "components": [
          {
            "internalType": "uint128",
            "name": "totalSupplyAssets",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalSupplyShares",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalBorrowAssets",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalBorrowShares",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "lastUpdate",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "fee",
            "type": "uint128"
          }
        ],
        "internalType": "struct Market",
        "name": "state",
        "type": "tuple"
      }
    ],
    "name": "borrowRate",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "loanToken",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collateralToken",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "oracle",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "irm",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "lltv",
            "type": "uint256"
          }
        ],
        "internalType": "struct MarketParams",
        "name": "",
        "type": "tuple"
      },
      {
        "components": [
          {
            "internalType": "uint128",
            "name": "totalSupplyAssets",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalSupplyShares",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalBorrowAssets",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalBorrowShares",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "lastUpdate",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "fee",
            "type": "uint128"
          }
        ],
        "internalType": "struct Market",
        "name": "state",
        "type": "tuple"
      }
    ],
    "name": "borrowRateView",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  }
] as const

export const linearIrmBytecode = '0x6080604052348015600e575f5ffd5b506104068061001c5f395ff3fe608060405234801561000f575f5ffd5b506004361061004a575f3560e01c80638c00bf6b1461004e5780639451fed414610073578063dc27715014610086578063e4fd18c914610094575b5f5ffd5b61006161005c36600461024f565b6100a2565b60405190815260200160405180910390f35b61006161008136600461024f565b610160565b61006166f8b0a10e47000081565b610061662386f26fc1000081565b80515f9081906fffffffffffffffffffffffffffffffff161561010e57825f01516fffffffffffffffffffffffffffffffff16670de0b6b3a764000084604001516fffffffffffffffffffffffffffffffff166100ff9190610397565b61010991906103ae565b610110565b5f5b90506301e13380670de0b6b3a76400006101318366f8b0a10e470000610397565b61013b91906103ae565b61014c90662386f26fc100006103e6565b61015691906103ae565b9150505b92915050565b5f61016b83836100a2565b9392505050565b60405160a0810167ffffffffffffffff811182821017156101ba577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405290565b60405160c0810167ffffffffffffffff811182821017156101ba577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b803573ffffffffffffffffffffffffffffffffffffffff8116811461022b575f5ffd5b919050565b80356fffffffffffffffffffffffffffffffff8116811461022b575f5ffd5b5f5f828403610160811215610262575f5ffd5b60a081121561026f575f5ffd5b610277610172565b61028085610208565b815261028e60208601610208565b602082015261029f60408601610208565b60408201526102b060608601610208565b606082015260808581013590820152925060c07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60820112156102f0575f5ffd5b506102f96101c0565b61030560a08501610230565b815261031360c08501610230565b602082015261032460e08501610230565b60408201526103366101008501610230565b60608201526103486101208501610230565b608082015261035a6101408501610230565b60a0820152809150509250929050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b808202811582820484141761015a5761015a61036a565b5f826103e1577f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b500490565b8082018082111561015a5761015a61036a56fea164736f6c6343000825000a' as const

export const linearIrmDeployedBytecode = '0x608060405234801561000f575f5ffd5b506004361061004a575f3560e01c80638c00bf6b1461004e5780639451fed414610073578063dc27715014610086578063e4fd18c914610094575b5f5ffd5b61006161005c36600461024f565b6100a2565b60405190815260200160405180910390f35b61006161008136600461024f565b610160565b61006166f8b0a10e47000081565b610061662386f26fc1000081565b80515f9081906fffffffffffffffffffffffffffffffff161561010e57825f01516fffffffffffffffffffffffffffffffff16670de0b6b3a764000084604001516fffffffffffffffffffffffffffffffff166100ff9190610397565b61010991906103ae565b610110565b5f5b90506301e13380670de0b6b3a76400006101318366f8b0a10e470000610397565b61013b91906103ae565b61014c90662386f26fc100006103e6565b61015691906103ae565b9150505b92915050565b5f61016b83836100a2565b9392505050565b60405160a0810167ffffffffffffffff811182821017156101ba577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405290565b60405160c0810167ffffffffffffffff811182821017156101ba577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b803573ffffffffffffffffffffffffffffffffffffffff8116811461022b575f5ffd5b919050565b80356fffffffffffffffffffffffffffffffff8116811461022b575f5ffd5b5f5f828403610160811215610262575f5ffd5b60a081121561026f575f5ffd5b610277610172565b61028085610208565b815261028e60208601610208565b602082015261029f60408601610208565b60408201526102b060608601610208565b606082015260808581013590820152925060c07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60820112156102f0575f5ffd5b506102f96101c0565b61030560a08501610230565b815261031360c08501610230565b602082015261032460e08501610230565b60408201526103366101008501610230565b60608201526103486101208501610230565b608082015261035a6101408501610230565b60a0820152809150509250929050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b808202811582820484141761015a5761015a61036a565b5f826103e1577f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b500490565b8082018082111561015a5761015a61036a56fea164736f6c6343000825000a' as const
