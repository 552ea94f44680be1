/*! SPDX-License-Identifier: MIT (InterestRatePool) */
// Written by scripts/compile.ts.
export const interestRatePoolAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "BadSignature",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "CapacityExceeded",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "deadline",
        "type": "uint256"
      }
    ],
    "name": "DeadlinePassed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "loanToken",
        "type": "address"
      }
    ],
    "name": "FundsMissing",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "currentNonce",
        "type": "uint256"
      }
    ],
    "name": "InvalidAccountNonce",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "InvalidShortString",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NotQuoteMarket",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "OwnableInvalidOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "OwnableUnauthorizedAccount",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "poolId",
        "type": "bytes32"
      }
    ],
    "name": "PoolExists",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "poolId",
        "type": "bytes32"
      }
    ],
    "name": "PoolNotFound",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "positionId",
        "type": "uint256"
      }
    ],
    "name": "PositionAlreadySettled",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "positionId",
        "type": "uint256"
      }
    ],
    "name": "PositionNotFound",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "QuoteMarketAlreadySet",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ReentrancyGuardReentrantCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "SafeERC20FailedOperation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "SeriesExists",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "SeriesExpired",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "SeriesNotExpired",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "SeriesNotFound",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "str",
        "type": "string"
      }
    ],
    "name": "StringTooLong",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "TransferIncomplete",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAddress",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "positionId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Credited",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [],
    "name": "EIP712DomainChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "operator",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "approved",
        "type": "bool"
      }
    ],
    "name": "OperatorSet",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "previousOwner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "newOwner",
        "type": "address"
      }
    ],
    "name": "OwnershipTransferred",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "poolId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "loanToken",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "adapter",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "market",
        "type": "bytes32"
      }
    ],
    "name": "PoolCreated",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "positionId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "maker",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "borrower",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "poolId",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "notional",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "cost",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "index",
        "type": "uint256"
      }
    ],
    "name": "PositionOpened",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "positionId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "toBorrower",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "toMaker",
        "type": "uint256"
      }
    ],
    "name": "PositionSettled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "quoteMarket",
        "type": "address"
      }
    ],
    "name": "QuoteMarketSet",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "index",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "readAt",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "indexAtExpiry",
        "type": "uint256"
      }
    ],
    "name": "SeriesCheckpointed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "poolId",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "expiry",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "cap",
        "type": "uint256"
      }
    ],
    "name": "SeriesCreated",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "index",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "readAt",
        "type": "uint64"
      }
    ],
    "name": "SeriesObserved",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Withdrawn",
    "type": "event"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "capacity",
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
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "checkpoint",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "checkpoints",
    "outputs": [
      {
        "internalType": "uint192",
        "name": "index",
        "type": "uint192"
      },
      {
        "internalType": "uint64",
        "name": "readAt",
        "type": "uint64"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "loanToken",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "adapter",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "market",
        "type": "bytes32"
      }
    ],
    "name": "createPool",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "poolId",
        "type": "bytes32"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "poolId",
        "type": "bytes32"
      },
      {
        "internalType": "uint64",
        "name": "expiry",
        "type": "uint64"
      },
      {
        "internalType": "uint256",
        "name": "cap",
        "type": "uint256"
      }
    ],
    "name": "createSeries",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "credits",
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
    "name": "eip712Domain",
    "outputs": [
      {
        "internalType": "bytes1",
        "name": "fields",
        "type": "bytes1"
      },
      {
        "internalType": "string",
        "name": "name",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "version",
        "type": "string"
      },
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "verifyingContract",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "salt",
        "type": "bytes32"
      },
      {
        "internalType": "uint256[]",
        "name": "extensions",
        "type": "uint256[]"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "indexAtExpiry",
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
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      }
    ],
    "name": "isOperator",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "nonces",
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
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "observations",
    "outputs": [
      {
        "internalType": "uint192",
        "name": "index",
        "type": "uint192"
      },
      {
        "internalType": "uint64",
        "name": "readAt",
        "type": "uint64"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "observe",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "maker",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "borrower",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "poolId",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      },
      {
        "internalType": "uint256",
        "name": "notional",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "cost",
        "type": "uint256"
      }
    ],
    "name": "openPosition",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "positionId",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "owed",
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
    "name": "owner",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "poolId",
        "type": "bytes32"
      }
    ],
    "name": "pools",
    "outputs": [
      {
        "internalType": "address",
        "name": "loanToken",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "adapter",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "market",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "positionId",
        "type": "uint256"
      }
    ],
    "name": "positions",
    "outputs": [
      {
        "internalType": "address",
        "name": "maker",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "borrower",
        "type": "address"
      },
      {
        "internalType": "uint64",
        "name": "openedAt",
        "type": "uint64"
      },
      {
        "internalType": "bool",
        "name": "settled",
        "type": "bool"
      },
      {
        "internalType": "bytes32",
        "name": "poolId",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      },
      {
        "internalType": "uint256",
        "name": "notional",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "cost",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "indexAtOpen",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "quoteMarket",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "renounceOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "seriesKey",
        "type": "bytes32"
      }
    ],
    "name": "series",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "poolId",
        "type": "bytes32"
      },
      {
        "internalType": "uint64",
        "name": "expiry",
        "type": "uint64"
      },
      {
        "internalType": "uint256",
        "name": "cap",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "outstanding",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "approved",
        "type": "bool"
      }
    ],
    "name": "setOperator",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "approved",
        "type": "bool"
      },
      {
        "internalType": "uint256",
        "name": "deadline",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      }
    ],
    "name": "setOperatorWithSignature",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "newQuoteMarket",
        "type": "address"
      }
    ],
    "name": "setQuoteMarket",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "positionId",
        "type": "uint256"
      }
    ],
    "name": "settle",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "newOwner",
        "type": "address"
      }
    ],
    "name": "transferOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "withdraw",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "withdrawFor",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const

export const interestRatePoolBytecode = '0x610160604052348015610010575f5ffd5b50604051612dcc380380612dcc83398101604081905261002f916101e5565b604080518082018252601081526f125b9d195c995cdd14985d19541bdbdb60821b602080830191909152825180840190935260018352603160f81b9083015290826001600160a01b03811661009e57604051631e4fbdf760e01b81525f60048201526024015b60405180910390fd5b6100a781610159565b506100b1826101a8565b610120526100be816101a8565b61014052815160208084019190912060e052815190820120610100524660a05261014a60e05161010051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60805250503060c0525061026d565b5f80546001600160a01b038381166001600160a01b0319831681178455604051919092169283917f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09190a35050565b5f5f829050601f815111156101d2578260405163305a27a960e01b81526004016100959190610212565b80516101dd82610247565b179392505050565b5f602082840312156101f5575f5ffd5b81516001600160a01b038116811461020b575f5ffd5b9392505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80516020808301519190811015610267575f198160200360031b1b821691505b50919050565b60805160a05160c05160e051610100516101205161014051612b0e6102be5f395f61206e01525f61203e01525f6123b901525f61239101525f6122ec01525f61231601525f6123400152612b0e5ff3fe608060405234801561000f575f5ffd5b50600436106101b0575f3560e01c80638df82800116100f3578063b66d858b11610093578063df18e0471161006e578063df18e047146105a0578063eb5e91ff146105bf578063f2fde38b14610620578063f5de118e14610633575f5ffd5b8063b66d858b14610567578063bd8f9f9f1461057a578063d0fc4cb11461058d575f5ffd5b8063ac5a5cd9116100ce578063ac5a5cd9146104a3578063adb5735c146104b6578063b5217bb4146104c9578063b6363cf21461052a575f5ffd5b80638df828001461038557806399fbab8814610398578063a852aaa414610490575f5ffd5b80635b34eba01161015e5780637e74709c116101395780637e74709c146102985780637ecebe001461033257806384b0196e1461035a5780638da5cb5b14610375575f5ffd5b80635b34eba014610253578063637cd7f014610266578063715018a614610290575f5ffd5b806351cff8d91161018e57806351cff8d91461021857806354e44b911461022b578063558a729714610240575f5ffd5b80632c9e0efd146101b45780632d862a85146101da578063483197d514610205575b5f5ffd5b6101c76101c2366004612718565b61069c565b6040519081526020015b60405180910390f35b6004546101ed906001600160a01b031681565b6040516001600160a01b0390911681526020016101d1565b6101c7610213366004612769565b610aa5565b6101c76102263660046127a3565b610ce1565b61023e6102393660046127cb565b610cf2565b005b61023e61024e366004612873565b610e35565b61023e6102613660046128a4565b610e5f565b6101c76102743660046128bb565b600a60209081525f928352604080842090915290825290205481565b61023e610ec4565b6102f96102a63660046128a4565b60086020525f908152604090205477ffffffffffffffffffffffffffffffffffffffffffffffff8116907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1682565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909316835267ffffffffffffffff9091166020830152016101d1565b6101c76103403660046127a3565b6001600160a01b03165f9081526003602052604090205490565b610362610ed7565b6040516101d1979695949392919061292f565b5f546001600160a01b03166101ed565b61023e6103933660046128a4565b610f35565b6104326103a63660046128a4565b600660208190525f918252604090912080546001820154600283015460038401546004850154600586015495909601546001600160a01b03948516969484169574010000000000000000000000000000000000000000850467ffffffffffffffff16957c010000000000000000000000000000000000000000000000000000000090950460ff16949189565b604080516001600160a01b039a8b1681529990981660208a015267ffffffffffffffff909616968801969096529215156060870152608086019190915260a085015260c084015260e0830191909152610100820152610120016101d1565b61023e61049e3660046128a4565b611140565b6101c76104b13660046128a4565b611266565b6101c76104c43660046128bb565b611491565b6105046104d73660046128a4565b60056020525f90815260409020805460018201546002909201546001600160a01b03918216929091169083565b604080516001600160a01b039485168152939092166020840152908201526060016101d1565b6105576105383660046128bb565b600760209081525f928352604080842090915290825290205460ff1681565b60405190151581526020016101d1565b61023e6105753660046127a3565b6116d4565b6101c76105883660046128a4565b6117c0565b6101c761059b3660046129e1565b6117e2565b6101c76105ae3660046127a3565b600b6020525f908152604090205481565b6102f96105cd3660046128a4565b60096020525f908152604090205477ffffffffffffffffffffffffffffffffffffffffffffffff8116907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1682565b61023e61062e3660046127a3565b6119f6565b6106736106413660046128a4565b5f908152600c60205260409020805460018201546002830154600390930154919367ffffffffffffffff909116929190565b6040805194855267ffffffffffffffff90931660208501529183015260608201526080016101d1565b5f6106a5611a49565b6004546001600160a01b031633146106e9576040517ffe9e4ff300000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f848152600c6020526040902080541580610705575080548614155b15610744576040517f5486e65f000000000000000000000000000000000000000000000000000000008152600481018690526024015b60405180910390fd5b60018101544267ffffffffffffffff90911611610790576040517fe49d4e620000000000000000000000000000000000000000000000000000000081526004810186905260240161073b565b610799856117c0565b8411156107d5576040517f4e44cac80000000000000000000000000000000000000000000000000000000081526004810186905260240161073b565b5f868152600560205260409020546107ff906001600160a01b03166107fa8587612a3e565b611a7e565b83816003015f8282546108129190612a3e565b9091555050600d80545f906108309067ffffffffffffffff16612a51565b825467ffffffffffffffff9182166101009390930a83810292021916179091556001820180546801000000000000000083027fffffffffffffffffffffffffffffffff0000000000000000ffffffffffffffff90911617905591505f61089587611b87565b90506040518061012001604052808a6001600160a01b03168152602001896001600160a01b03168152602001826020015167ffffffffffffffff1681526020015f15158152602001888152602001878152602001868152602001858152602001825f015177ffffffffffffffffffffffffffffffffffffffffffffffff1681525060065f8581526020019081526020015f205f820151815f015f6101000a8154816001600160a01b0302191690836001600160a01b031602179055506020820151816001015f6101000a8154816001600160a01b0302191690836001600160a01b0316021790555060408201518160010160146101000a81548167ffffffffffffffff021916908367ffffffffffffffff160217905550606082015181600101601c6101000a81548160ff0219169083151502179055506080820151816002015560a0820151816003015560c0820151816004015560e082015181600501556101008201518160060155905050876001600160a01b0316896001600160a01b0316847f4553bd61c04581945f23be91a425ca48389c8dc7ad5b79faa7ca70e0a2c1cb8b8a8a8a8a885f0151604051610a8995949392919094855260208501939093526040840191909152606083015277ffffffffffffffffffffffffffffffffffffffffffffffff16608082015260a00190565b60405180910390a45050610a9b611c99565b9695505050505050565b5f610aae611cc3565b6001600160a01b038416610aee576040517fd92e233d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b604080516001600160a01b03808716602083015285169181019190915260608101839052608001604080517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe081840301815291815281516020928301205f81815260059093529120549091506001600160a01b031615610b9d576040517fcc36f9350000000000000000000000000000000000000000000000000000000081526004810182905260240161073b565b6040517f5250fec7000000000000000000000000000000000000000000000000000000008152600481018390526001600160a01b03841690635250fec790602401602060405180830381865afa158015610bf9573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610c1d9190612a7d565b50604080516060810182526001600160a01b0386811680835286821660208085018281528587018981525f89815260058452889020965187549087167fffffffffffffffffffffffff0000000000000000000000000000000000000000918216178855915160018801805491909716921691909117909455925160029094019390935583519283529082018590529183917fd07346d7fdb576181879a8e038226e4572717d92bb3625d4de8e2880c7d470b491015b60405180910390a39392505050565b5f610cec3383611491565b92915050565b82421115610d2f576040517fbfb22adf0000000000000000000000000000000000000000000000000000000081526004810184905260240161073b565b5f610dd27fa7d8b1bc72bd772bbc45444901248c83b1ab886d33b25e756dd094a981319d99888888610d7d8c6001600160a01b03165f90815260036020526040902080546001810190915590565b6040805160208101969096526001600160a01b03948516908601529290911660608401521515608083015260a082015260c0810186905260e00160405160208183030381529060405280519060200120611d08565b9050610de087828585611d4f565b610e21576040517f9a7d38d90000000000000000000000000000000000000000000000000000000081526001600160a01b038816600482015260240161073b565b610e2c878787611dd1565b50505050505050565b80610e5057335f908152600360205260409020805460010190555b610e5b338383611dd1565b5050565b610e67611a49565b5f818152600c60205260408120549003610eb0576040517f5486e65f0000000000000000000000000000000000000000000000000000000081526004810182905260240161073b565b610eb981611e5b565b610ec1611c99565b50565b610ecc611cc3565b610ed55f611fd0565b565b5f6060805f5f5f6060610ee8612037565b610ef0612067565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b610f3d611a49565b5f81815260066020526040902080546001600160a01b0316610f8e576040517ff71548070000000000000000000000000000000000000000000000000000000081526004810183905260240161073b565b60018101547c0100000000000000000000000000000000000000000000000000000000900460ff1615610ff0576040517f3cc5ef330000000000000000000000000000000000000000000000000000000081526004810183905260240161073b565b6003810154610ffe81611e5b565b5f826004015490505f61101e82856006015461101986611266565b612092565b90505f846005015482846110329190612a94565b61103c9190612a3e565b6001860180547fffffff00ffffffffffffffffffffffffffffffffffffffffffffffffffffffff167c01000000000000000000000000000000000000000000000000000000001790555f858152600c60205260408120600301805492935085929091906110aa908490612a94565b9091555050604080518381526020810183905287917f78dd5e343bcb666bca386d600c40d1412bff3eb1772d8be0f416118a4cd5a9bd910160405180910390a260028501545f9081526005602052604090205460018601546001600160a01b039182169161111b91168289866120d6565b8554611132906001600160a01b03168289856120d6565b505050505050610ec1611c99565b611148611a49565b5f818152600c602052604081208054909103611193576040517f5486e65f0000000000000000000000000000000000000000000000000000000081526004810183905260240161073b565b600181015467ffffffffffffffff1642106111b7576111b182611e5b565b50610eb9565b5f6111c4825f0154611b87565b5f8481526008602090815260409182902083518483015167ffffffffffffffff167801000000000000000000000000000000000000000000000000810277ffffffffffffffffffffffffffffffffffffffffffffffff90921691821790925583519081529182015291925084917fdbfaa31d0a9a61651d43aba45f8606d0ae69a8ac96bf63ecff8b122c898ce24e910160405180910390a25050610ec1611c99565b5f81815260096020908152604080832081518083019092525477ffffffffffffffffffffffffffffffffffffffffffffffff811682527801000000000000000000000000000000000000000000000000900467ffffffffffffffff169181018290529082036112d757505f92915050565b5f838152600c6020908152604080832060018082015467ffffffffffffffff680100000000000000009091048116865260068552838620898752600886529584902084518086019095525477ffffffffffffffffffffffffffffffffffffffffffffffff8116808652780100000000000000000000000000000000000000000000000090910482169585018690529186015492959491927401000000000000000000000000000000000000000090041681116113bc5750506006820154600183015474010000000000000000000000000000000000000000900467ffffffffffffffff165b805f036113ea575050925177ffffffffffffffffffffffffffffffffffffffffffffffff1695945050505050565b855177ffffffffffffffffffffffffffffffffffffffffffffffff16821061141757509695505050505050565b855161147b9061144290849077ffffffffffffffffffffffffffffffffffffffffffffffff16612a94565b600187015461145c90849067ffffffffffffffff16612a94565b83896020015167ffffffffffffffff166114769190612a94565b61216e565b6114859083612a3e565b98975050505050505050565b5f61149a611a49565b506001600160a01b038083165f908152600a60209081526040808320938516835292905290812054908190036114d157505f6116cc565b6001600160a01b038084165f908152600a602090815260408083209386168352928152828220829055600b90529081208054839290611511908490612a94565b92505081905550816001600160a01b0316836001600160a01b03167fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb8360405161155d91815260200190565b60405180910390a36040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038416906370a0823190602401602060405180830381865afa1580156115c2573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906115e69190612a7d565b90506115fc6001600160a01b038416858461221e565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815230600482015282906001600160a01b038516906370a0823190602401602060405180830381865afa158015611659573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061167d9190612a7d565b6116879083612a94565b11156116ca576040517f5abaa10c0000000000000000000000000000000000000000000000000000000081526001600160a01b038416600482015260240161073b565b505b610cec611c99565b6116dc611cc3565b6001600160a01b03811661171c576040517fd92e233d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6004546001600160a01b03161561175f576040517f419fc3c500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600480547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0383169081179091556040517feaf7c5f7d56322e3147039623c6292f8c6ad0acc53c90647b4301a60a6b886f4905f90a250565b5f818152600c602052604081206003810154600290910154610cec9190612a94565b5f6117eb611cc3565b5f848152600560205260409020546001600160a01b031661183b576040517f533f35660000000000000000000000000000000000000000000000000000000081526004810185905260240161073b565b838360405160200161186192919091825267ffffffffffffffff16602082015260400190565b604080517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe081840301815291815281516020928301205f818152600c909352912054909150156118e0576040517f6ce78a240000000000000000000000000000000000000000000000000000000081526004810182905260240161073b565b428367ffffffffffffffff1611611926576040517fe49d4e620000000000000000000000000000000000000000000000000000000081526004810182905260240161073b565b6040805160a08101825285815267ffffffffffffffff85811660208084018281525f858701818152606087018a8152608088018381528a8452600c8652928990209751885592516001880180549251881668010000000000000000027fffffffffffffffffffffffffffffffff00000000000000000000000000000000909316919097161717909455516002850155915160039093019290925582519182528101849052859183917f21cf9b1203336323da6a5996b34b285cae7105c0b696414da582b5612476c6009101610cd2565b6119fe611cc3565b6001600160a01b038116611a40576040517f1e4fbdf70000000000000000000000000000000000000000000000000000000081525f600482015260240161073b565b610ec181611fd0565b611a51612271565b610ed560017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b906122ca565b6001600160a01b0382165f908152600b6020526040812054611aa1908390612a3e565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815230600482015290915081906001600160a01b038516906370a0823190602401602060405180830381865afa158015611b01573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611b259190612a7d565b1015611b68576040517fbe0199730000000000000000000000000000000000000000000000000000000081526001600160a01b038416600482015260240161073b565b6001600160a01b039092165f908152600b602052604090209190915550565b6040805180820182525f8082526020808301829052848252600590528281206001810154600282015494517f5250fec70000000000000000000000000000000000000000000000000000000081526004810195909552929390926001600160a01b031690635250fec790602401602060405180830381865afa158015611c0f573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611c339190612a7d565b90506040518060400160405280611c648377ffffffffffffffffffffffffffffffffffffffffffffffff80166122d1565b77ffffffffffffffffffffffffffffffffffffffffffffffff16815267ffffffffffffffff4216602090910152949350505050565b610ed55f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00611a78565b5f546001600160a01b03163314610ed5576040517f118cdaa700000000000000000000000000000000000000000000000000000000815233600482015260240161073b565b5f610cec611d146122e0565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f5f5f611d5d868686612409565b5090925090505f816003811115611d7657611d76612aa7565b148015611d945750866001600160a01b0316826001600160a01b0316145b15611da457600192505050611dc9565b6001600160a01b0387163b15801590611dc45750611dc487878787612450565b925050505b949350505050565b6001600160a01b038381165f8181526007602090815260408083209487168084529482529182902080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001686151590811790915591519182527fceb576d9f15e4e200fdb5096d64d5dfd667e16def20c1eefd14256d8e3faa267910160405180910390a3505050565b5f818152600c60205260409020600181015467ffffffffffffffff16421015611eb3576040517f47603b100000000000000000000000000000000000000000000000000000000081526004810183905260240161073b565b5f828152600960205260409020547801000000000000000000000000000000000000000000000000900467ffffffffffffffff1615611ef0575050565b5f611efd825f0154611b87565b5f84815260096020908152604090912082519183015167ffffffffffffffff811678010000000000000000000000000000000000000000000000000277ffffffffffffffffffffffffffffffffffffffffffffffff84161790915591925084917f34cc2f901a4742b800fa28137e3d0ad86ca562b803bf56bbb52109bf9903a8d89190611f8984611266565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909416845267ffffffffffffffff90921660208401529082015260600160405180910390a2505050565b5f80546001600160a01b038381167fffffffffffffffffffffffff0000000000000000000000000000000000000000831681178455604051919092169283917f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09190a35050565b60606120627f00000000000000000000000000000000000000000000000000000000000000006124d3565b905090565b60606120627f00000000000000000000000000000000000000000000000000000000000000006124d3565b5f8282116120a157505f6120cf565b826120ac8184612a94565b106120b85750826120cf565b6120cc846120c68585612a94565b8561216e565b90505b9392505050565b8015612168576001600160a01b038085165f908152600a6020908152604080832093871683529290529081208054839290612112908490612a3e565b9250508190555081836001600160a01b0316856001600160a01b03167fdd0ef63b44a932361273bab95d6e9bfcea5c7850c43844f540314e89899b970c8460405161215f91815260200190565b60405180910390a45b50505050565b5f5f5f61217b8686612510565b91509150815f0361219f5783818161219557612195612ad4565b04925050506120cf565b8184116121b6576121b6600385150260111861254b565b5f848688095f868103871696879004966002600389028118808a02820302808a02820302808a02820302808a02820302808a02820302808a02909103029181900381900460010185841190960395909502919093039390930492909217029150509392505050565b61222b838383600161255c565b61226c576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b038416600482015260240161073b565b505050565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c15610ed5576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b5f8282188284100282186120cf565b5f306001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614801561233857507f000000000000000000000000000000000000000000000000000000000000000046145b1561236257507f000000000000000000000000000000000000000000000000000000000000000090565b612062604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f8080604184900361243d578435602086013560408701355f1a61242f898285856125d7565b955095509550505050612447565b505f915060029050825b93509350939050565b604080517f1626ba7e00000000000000000000000000000000000000000000000000000000808252600482018690526024820192909252604481018390525f91908390818660648301375f82606483010152601f820160051c60051b915060205f60648401838b5afa9050825f5114601f3d111681169350505050949350505050565b60605f6124df836126bd565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83850993909202808410938190039390930393915050565b634e487b715f52806020526024601cfd5b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f511483166125cb5783831516156125bf573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a084111561261057505f915060039050826126b3565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015612661573d5f5f3e3d5ffd5b50506040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe001519150506001600160a01b0381166126aa57505f9250600191508290506126b3565b92505f91508190505b9450945094915050565b5f60ff8216601f811115610cec576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80356001600160a01b0381168114612713575f5ffd5b919050565b5f5f5f5f5f5f60c0878903121561272d575f5ffd5b612736876126fd565b9550612744602088016126fd565b95989597505050506040840135936060810135936080820135935060a0909101359150565b5f5f5f6060848603121561277b575f5ffd5b612784846126fd565b9250612792602085016126fd565b929592945050506040919091013590565b5f602082840312156127b3575f5ffd5b6120cf826126fd565b80358015158114612713575f5ffd5b5f5f5f5f5f5f60a087890312156127e0575f5ffd5b6127e9876126fd565b95506127f7602088016126fd565b9450612805604088016127bc565b935060608701359250608087013567ffffffffffffffff811115612827575f5ffd5b8701601f81018913612837575f5ffd5b803567ffffffffffffffff81111561284d575f5ffd5b89602082840101111561285e575f5ffd5b60208201935080925050509295509295509295565b5f5f60408385031215612884575f5ffd5b61288d836126fd565b915061289b602084016127bc565b90509250929050565b5f602082840312156128b4575f5ffd5b5035919050565b5f5f604083850312156128cc575f5ffd5b6128d5836126fd565b915061289b602084016126fd565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f61296960e08301896128e3565b828103604084015261297b81896128e3565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b818110156129d05783518352602093840193909201916001016129b2565b50909b9a5050505050505050505050565b5f5f5f606084860312156129f3575f5ffd5b83359250602084013567ffffffffffffffff81168114612792575f5ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b80820180821115610cec57610cec612a11565b5f67ffffffffffffffff821667ffffffffffffffff8103612a7457612a74612a11565b60010192915050565b5f60208284031215612a8d575f5ffd5b5051919050565b81810381811115610cec57610cec612a11565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffdfea164736f6c6343000825000a' as const

export const interestRatePoolDeployedBytecode = '0x608060405234801561000f575f5ffd5b50600436106101b0575f3560e01c80638df82800116100f3578063b66d858b11610093578063df18e0471161006e578063df18e047146105a0578063eb5e91ff146105bf578063f2fde38b14610620578063f5de118e14610633575f5ffd5b8063b66d858b14610567578063bd8f9f9f1461057a578063d0fc4cb11461058d575f5ffd5b8063ac5a5cd9116100ce578063ac5a5cd9146104a3578063adb5735c146104b6578063b5217bb4146104c9578063b6363cf21461052a575f5ffd5b80638df828001461038557806399fbab8814610398578063a852aaa414610490575f5ffd5b80635b34eba01161015e5780637e74709c116101395780637e74709c146102985780637ecebe001461033257806384b0196e1461035a5780638da5cb5b14610375575f5ffd5b80635b34eba014610253578063637cd7f014610266578063715018a614610290575f5ffd5b806351cff8d91161018e57806351cff8d91461021857806354e44b911461022b578063558a729714610240575f5ffd5b80632c9e0efd146101b45780632d862a85146101da578063483197d514610205575b5f5ffd5b6101c76101c2366004612718565b61069c565b6040519081526020015b60405180910390f35b6004546101ed906001600160a01b031681565b6040516001600160a01b0390911681526020016101d1565b6101c7610213366004612769565b610aa5565b6101c76102263660046127a3565b610ce1565b61023e6102393660046127cb565b610cf2565b005b61023e61024e366004612873565b610e35565b61023e6102613660046128a4565b610e5f565b6101c76102743660046128bb565b600a60209081525f928352604080842090915290825290205481565b61023e610ec4565b6102f96102a63660046128a4565b60086020525f908152604090205477ffffffffffffffffffffffffffffffffffffffffffffffff8116907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1682565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909316835267ffffffffffffffff9091166020830152016101d1565b6101c76103403660046127a3565b6001600160a01b03165f9081526003602052604090205490565b610362610ed7565b6040516101d1979695949392919061292f565b5f546001600160a01b03166101ed565b61023e6103933660046128a4565b610f35565b6104326103a63660046128a4565b600660208190525f918252604090912080546001820154600283015460038401546004850154600586015495909601546001600160a01b03948516969484169574010000000000000000000000000000000000000000850467ffffffffffffffff16957c010000000000000000000000000000000000000000000000000000000090950460ff16949189565b604080516001600160a01b039a8b1681529990981660208a015267ffffffffffffffff909616968801969096529215156060870152608086019190915260a085015260c084015260e0830191909152610100820152610120016101d1565b61023e61049e3660046128a4565b611140565b6101c76104b13660046128a4565b611266565b6101c76104c43660046128bb565b611491565b6105046104d73660046128a4565b60056020525f90815260409020805460018201546002909201546001600160a01b03918216929091169083565b604080516001600160a01b039485168152939092166020840152908201526060016101d1565b6105576105383660046128bb565b600760209081525f928352604080842090915290825290205460ff1681565b60405190151581526020016101d1565b61023e6105753660046127a3565b6116d4565b6101c76105883660046128a4565b6117c0565b6101c761059b3660046129e1565b6117e2565b6101c76105ae3660046127a3565b600b6020525f908152604090205481565b6102f96105cd3660046128a4565b60096020525f908152604090205477ffffffffffffffffffffffffffffffffffffffffffffffff8116907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1682565b61023e61062e3660046127a3565b6119f6565b6106736106413660046128a4565b5f908152600c60205260409020805460018201546002830154600390930154919367ffffffffffffffff909116929190565b6040805194855267ffffffffffffffff90931660208501529183015260608201526080016101d1565b5f6106a5611a49565b6004546001600160a01b031633146106e9576040517ffe9e4ff300000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f848152600c6020526040902080541580610705575080548614155b15610744576040517f5486e65f000000000000000000000000000000000000000000000000000000008152600481018690526024015b60405180910390fd5b60018101544267ffffffffffffffff90911611610790576040517fe49d4e620000000000000000000000000000000000000000000000000000000081526004810186905260240161073b565b610799856117c0565b8411156107d5576040517f4e44cac80000000000000000000000000000000000000000000000000000000081526004810186905260240161073b565b5f868152600560205260409020546107ff906001600160a01b03166107fa8587612a3e565b611a7e565b83816003015f8282546108129190612a3e565b9091555050600d80545f906108309067ffffffffffffffff16612a51565b825467ffffffffffffffff9182166101009390930a83810292021916179091556001820180546801000000000000000083027fffffffffffffffffffffffffffffffff0000000000000000ffffffffffffffff90911617905591505f61089587611b87565b90506040518061012001604052808a6001600160a01b03168152602001896001600160a01b03168152602001826020015167ffffffffffffffff1681526020015f15158152602001888152602001878152602001868152602001858152602001825f015177ffffffffffffffffffffffffffffffffffffffffffffffff1681525060065f8581526020019081526020015f205f820151815f015f6101000a8154816001600160a01b0302191690836001600160a01b031602179055506020820151816001015f6101000a8154816001600160a01b0302191690836001600160a01b0316021790555060408201518160010160146101000a81548167ffffffffffffffff021916908367ffffffffffffffff160217905550606082015181600101601c6101000a81548160ff0219169083151502179055506080820151816002015560a0820151816003015560c0820151816004015560e082015181600501556101008201518160060155905050876001600160a01b0316896001600160a01b0316847f4553bd61c04581945f23be91a425ca48389c8dc7ad5b79faa7ca70e0a2c1cb8b8a8a8a8a885f0151604051610a8995949392919094855260208501939093526040840191909152606083015277ffffffffffffffffffffffffffffffffffffffffffffffff16608082015260a00190565b60405180910390a45050610a9b611c99565b9695505050505050565b5f610aae611cc3565b6001600160a01b038416610aee576040517fd92e233d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b604080516001600160a01b03808716602083015285169181019190915260608101839052608001604080517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe081840301815291815281516020928301205f81815260059093529120549091506001600160a01b031615610b9d576040517fcc36f9350000000000000000000000000000000000000000000000000000000081526004810182905260240161073b565b6040517f5250fec7000000000000000000000000000000000000000000000000000000008152600481018390526001600160a01b03841690635250fec790602401602060405180830381865afa158015610bf9573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610c1d9190612a7d565b50604080516060810182526001600160a01b0386811680835286821660208085018281528587018981525f89815260058452889020965187549087167fffffffffffffffffffffffff0000000000000000000000000000000000000000918216178855915160018801805491909716921691909117909455925160029094019390935583519283529082018590529183917fd07346d7fdb576181879a8e038226e4572717d92bb3625d4de8e2880c7d470b491015b60405180910390a39392505050565b5f610cec3383611491565b92915050565b82421115610d2f576040517fbfb22adf0000000000000000000000000000000000000000000000000000000081526004810184905260240161073b565b5f610dd27fa7d8b1bc72bd772bbc45444901248c83b1ab886d33b25e756dd094a981319d99888888610d7d8c6001600160a01b03165f90815260036020526040902080546001810190915590565b6040805160208101969096526001600160a01b03948516908601529290911660608401521515608083015260a082015260c0810186905260e00160405160208183030381529060405280519060200120611d08565b9050610de087828585611d4f565b610e21576040517f9a7d38d90000000000000000000000000000000000000000000000000000000081526001600160a01b038816600482015260240161073b565b610e2c878787611dd1565b50505050505050565b80610e5057335f908152600360205260409020805460010190555b610e5b338383611dd1565b5050565b610e67611a49565b5f818152600c60205260408120549003610eb0576040517f5486e65f0000000000000000000000000000000000000000000000000000000081526004810182905260240161073b565b610eb981611e5b565b610ec1611c99565b50565b610ecc611cc3565b610ed55f611fd0565b565b5f6060805f5f5f6060610ee8612037565b610ef0612067565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b610f3d611a49565b5f81815260066020526040902080546001600160a01b0316610f8e576040517ff71548070000000000000000000000000000000000000000000000000000000081526004810183905260240161073b565b60018101547c0100000000000000000000000000000000000000000000000000000000900460ff1615610ff0576040517f3cc5ef330000000000000000000000000000000000000000000000000000000081526004810183905260240161073b565b6003810154610ffe81611e5b565b5f826004015490505f61101e82856006015461101986611266565b612092565b90505f846005015482846110329190612a94565b61103c9190612a3e565b6001860180547fffffff00ffffffffffffffffffffffffffffffffffffffffffffffffffffffff167c01000000000000000000000000000000000000000000000000000000001790555f858152600c60205260408120600301805492935085929091906110aa908490612a94565b9091555050604080518381526020810183905287917f78dd5e343bcb666bca386d600c40d1412bff3eb1772d8be0f416118a4cd5a9bd910160405180910390a260028501545f9081526005602052604090205460018601546001600160a01b039182169161111b91168289866120d6565b8554611132906001600160a01b03168289856120d6565b505050505050610ec1611c99565b611148611a49565b5f818152600c602052604081208054909103611193576040517f5486e65f0000000000000000000000000000000000000000000000000000000081526004810183905260240161073b565b600181015467ffffffffffffffff1642106111b7576111b182611e5b565b50610eb9565b5f6111c4825f0154611b87565b5f8481526008602090815260409182902083518483015167ffffffffffffffff167801000000000000000000000000000000000000000000000000810277ffffffffffffffffffffffffffffffffffffffffffffffff90921691821790925583519081529182015291925084917fdbfaa31d0a9a61651d43aba45f8606d0ae69a8ac96bf63ecff8b122c898ce24e910160405180910390a25050610ec1611c99565b5f81815260096020908152604080832081518083019092525477ffffffffffffffffffffffffffffffffffffffffffffffff811682527801000000000000000000000000000000000000000000000000900467ffffffffffffffff169181018290529082036112d757505f92915050565b5f838152600c6020908152604080832060018082015467ffffffffffffffff680100000000000000009091048116865260068552838620898752600886529584902084518086019095525477ffffffffffffffffffffffffffffffffffffffffffffffff8116808652780100000000000000000000000000000000000000000000000090910482169585018690529186015492959491927401000000000000000000000000000000000000000090041681116113bc5750506006820154600183015474010000000000000000000000000000000000000000900467ffffffffffffffff165b805f036113ea575050925177ffffffffffffffffffffffffffffffffffffffffffffffff1695945050505050565b855177ffffffffffffffffffffffffffffffffffffffffffffffff16821061141757509695505050505050565b855161147b9061144290849077ffffffffffffffffffffffffffffffffffffffffffffffff16612a94565b600187015461145c90849067ffffffffffffffff16612a94565b83896020015167ffffffffffffffff166114769190612a94565b61216e565b6114859083612a3e565b98975050505050505050565b5f61149a611a49565b506001600160a01b038083165f908152600a60209081526040808320938516835292905290812054908190036114d157505f6116cc565b6001600160a01b038084165f908152600a602090815260408083209386168352928152828220829055600b90529081208054839290611511908490612a94565b92505081905550816001600160a01b0316836001600160a01b03167fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb8360405161155d91815260200190565b60405180910390a36040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038416906370a0823190602401602060405180830381865afa1580156115c2573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906115e69190612a7d565b90506115fc6001600160a01b038416858461221e565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815230600482015282906001600160a01b038516906370a0823190602401602060405180830381865afa158015611659573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061167d9190612a7d565b6116879083612a94565b11156116ca576040517f5abaa10c0000000000000000000000000000000000000000000000000000000081526001600160a01b038416600482015260240161073b565b505b610cec611c99565b6116dc611cc3565b6001600160a01b03811661171c576040517fd92e233d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6004546001600160a01b03161561175f576040517f419fc3c500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600480547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0383169081179091556040517feaf7c5f7d56322e3147039623c6292f8c6ad0acc53c90647b4301a60a6b886f4905f90a250565b5f818152600c602052604081206003810154600290910154610cec9190612a94565b5f6117eb611cc3565b5f848152600560205260409020546001600160a01b031661183b576040517f533f35660000000000000000000000000000000000000000000000000000000081526004810185905260240161073b565b838360405160200161186192919091825267ffffffffffffffff16602082015260400190565b604080517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe081840301815291815281516020928301205f818152600c909352912054909150156118e0576040517f6ce78a240000000000000000000000000000000000000000000000000000000081526004810182905260240161073b565b428367ffffffffffffffff1611611926576040517fe49d4e620000000000000000000000000000000000000000000000000000000081526004810182905260240161073b565b6040805160a08101825285815267ffffffffffffffff85811660208084018281525f858701818152606087018a8152608088018381528a8452600c8652928990209751885592516001880180549251881668010000000000000000027fffffffffffffffffffffffffffffffff00000000000000000000000000000000909316919097161717909455516002850155915160039093019290925582519182528101849052859183917f21cf9b1203336323da6a5996b34b285cae7105c0b696414da582b5612476c6009101610cd2565b6119fe611cc3565b6001600160a01b038116611a40576040517f1e4fbdf70000000000000000000000000000000000000000000000000000000081525f600482015260240161073b565b610ec181611fd0565b611a51612271565b610ed560017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b906122ca565b6001600160a01b0382165f908152600b6020526040812054611aa1908390612a3e565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815230600482015290915081906001600160a01b038516906370a0823190602401602060405180830381865afa158015611b01573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611b259190612a7d565b1015611b68576040517fbe0199730000000000000000000000000000000000000000000000000000000081526001600160a01b038416600482015260240161073b565b6001600160a01b039092165f908152600b602052604090209190915550565b6040805180820182525f8082526020808301829052848252600590528281206001810154600282015494517f5250fec70000000000000000000000000000000000000000000000000000000081526004810195909552929390926001600160a01b031690635250fec790602401602060405180830381865afa158015611c0f573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611c339190612a7d565b90506040518060400160405280611c648377ffffffffffffffffffffffffffffffffffffffffffffffff80166122d1565b77ffffffffffffffffffffffffffffffffffffffffffffffff16815267ffffffffffffffff4216602090910152949350505050565b610ed55f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00611a78565b5f546001600160a01b03163314610ed5576040517f118cdaa700000000000000000000000000000000000000000000000000000000815233600482015260240161073b565b5f610cec611d146122e0565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f5f5f611d5d868686612409565b5090925090505f816003811115611d7657611d76612aa7565b148015611d945750866001600160a01b0316826001600160a01b0316145b15611da457600192505050611dc9565b6001600160a01b0387163b15801590611dc45750611dc487878787612450565b925050505b949350505050565b6001600160a01b038381165f8181526007602090815260408083209487168084529482529182902080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001686151590811790915591519182527fceb576d9f15e4e200fdb5096d64d5dfd667e16def20c1eefd14256d8e3faa267910160405180910390a3505050565b5f818152600c60205260409020600181015467ffffffffffffffff16421015611eb3576040517f47603b100000000000000000000000000000000000000000000000000000000081526004810183905260240161073b565b5f828152600960205260409020547801000000000000000000000000000000000000000000000000900467ffffffffffffffff1615611ef0575050565b5f611efd825f0154611b87565b5f84815260096020908152604090912082519183015167ffffffffffffffff811678010000000000000000000000000000000000000000000000000277ffffffffffffffffffffffffffffffffffffffffffffffff84161790915591925084917f34cc2f901a4742b800fa28137e3d0ad86ca562b803bf56bbb52109bf9903a8d89190611f8984611266565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909416845267ffffffffffffffff90921660208401529082015260600160405180910390a2505050565b5f80546001600160a01b038381167fffffffffffffffffffffffff0000000000000000000000000000000000000000831681178455604051919092169283917f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09190a35050565b60606120627f00000000000000000000000000000000000000000000000000000000000000006124d3565b905090565b60606120627f00000000000000000000000000000000000000000000000000000000000000006124d3565b5f8282116120a157505f6120cf565b826120ac8184612a94565b106120b85750826120cf565b6120cc846120c68585612a94565b8561216e565b90505b9392505050565b8015612168576001600160a01b038085165f908152600a6020908152604080832093871683529290529081208054839290612112908490612a3e565b9250508190555081836001600160a01b0316856001600160a01b03167fdd0ef63b44a932361273bab95d6e9bfcea5c7850c43844f540314e89899b970c8460405161215f91815260200190565b60405180910390a45b50505050565b5f5f5f61217b8686612510565b91509150815f0361219f5783818161219557612195612ad4565b04925050506120cf565b8184116121b6576121b6600385150260111861254b565b5f848688095f868103871696879004966002600389028118808a02820302808a02820302808a02820302808a02820302808a02820302808a02909103029181900381900460010185841190960395909502919093039390930492909217029150509392505050565b61222b838383600161255c565b61226c576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b038416600482015260240161073b565b505050565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c15610ed5576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b5f8282188284100282186120cf565b5f306001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614801561233857507f000000000000000000000000000000000000000000000000000000000000000046145b1561236257507f000000000000000000000000000000000000000000000000000000000000000090565b612062604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f8080604184900361243d578435602086013560408701355f1a61242f898285856125d7565b955095509550505050612447565b505f915060029050825b93509350939050565b604080517f1626ba7e00000000000000000000000000000000000000000000000000000000808252600482018690526024820192909252604481018390525f91908390818660648301375f82606483010152601f820160051c60051b915060205f60648401838b5afa9050825f5114601f3d111681169350505050949350505050565b60605f6124df836126bd565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83850993909202808410938190039390930393915050565b634e487b715f52806020526024601cfd5b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f511483166125cb5783831516156125bf573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a084111561261057505f915060039050826126b3565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015612661573d5f5f3e3d5ffd5b50506040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe001519150506001600160a01b0381166126aa57505f9250600191508290506126b3565b92505f91508190505b9450945094915050565b5f60ff8216601f811115610cec576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80356001600160a01b0381168114612713575f5ffd5b919050565b5f5f5f5f5f5f60c0878903121561272d575f5ffd5b612736876126fd565b9550612744602088016126fd565b95989597505050506040840135936060810135936080820135935060a0909101359150565b5f5f5f6060848603121561277b575f5ffd5b612784846126fd565b9250612792602085016126fd565b929592945050506040919091013590565b5f602082840312156127b3575f5ffd5b6120cf826126fd565b80358015158114612713575f5ffd5b5f5f5f5f5f5f60a087890312156127e0575f5ffd5b6127e9876126fd565b95506127f7602088016126fd565b9450612805604088016127bc565b935060608701359250608087013567ffffffffffffffff811115612827575f5ffd5b8701601f81018913612837575f5ffd5b803567ffffffffffffffff81111561284d575f5ffd5b89602082840101111561285e575f5ffd5b60208201935080925050509295509295509295565b5f5f60408385031215612884575f5ffd5b61288d836126fd565b915061289b602084016127bc565b90509250929050565b5f602082840312156128b4575f5ffd5b5035919050565b5f5f604083850312156128cc575f5ffd5b6128d5836126fd565b915061289b602084016126fd565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f61296960e08301896128e3565b828103604084015261297b81896128e3565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b818110156129d05783518352602093840193909201916001016129b2565b50909b9a5050505050505050505050565b5f5f5f606084860312156129f3575f5ffd5b83359250602084013567ffffffffffffffff81168114612792575f5ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b80820180821115610cec57610cec612a11565b5f67ffffffffffffffff821667ffffffffffffffff8103612a7457612a74612a11565b60010192915050565b5f60208284031215612a8d575f5ffd5b5051919050565b81810381811115610cec57610cec612a11565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffdfea164736f6c6343000825000a' as const
