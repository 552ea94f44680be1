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

export const interestRatePoolBytecode = '0x610160604052348015610010575f5ffd5b50604051612bde380380612bde83398101604081905261002f916101e5565b604080518082018252601081526f125b9d195c995cdd14985d19541bdbdb60821b602080830191909152825180840190935260018352603160f81b9083015290826001600160a01b03811661009e57604051631e4fbdf760e01b81525f60048201526024015b60405180910390fd5b6100a781610159565b506100b1826101a8565b610120526100be816101a8565b61014052815160208084019190912060e052815190820120610100524660a05261014a60e05161010051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60805250503060c0525061026d565b5f80546001600160a01b038381166001600160a01b0319831681178455604051919092169283917f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09190a35050565b5f5f829050601f815111156101d2578260405163305a27a960e01b81526004016100959190610212565b80516101dd82610247565b179392505050565b5f602082840312156101f5575f5ffd5b81516001600160a01b038116811461020b575f5ffd5b9392505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80516020808301519190811015610267575f198160200360031b1b821691505b50919050565b60805160a05160c05160e0516101005161012051610140516129206102be5f395f611e6001525f611e3001525f6121ab01525f61218301525f6120de01525f61210801525f61213201526129205ff3fe608060405234801561000f575f5ffd5b506004361061019a575f3560e01c80638df82800116100e8578063b66d858b11610093578063df18e0471161006e578063df18e047146104dd578063eb5e91ff146104fc578063f2fde38b14610596578063f5de118e146105a9575f5ffd5b8063b66d858b146104a4578063bd8f9f9f146104b7578063d0fc4cb1146104ca575f5ffd5b8063adb5735c116100c3578063adb5735c146103f3578063b5217bb414610406578063b6363cf214610467575f5ffd5b80638df82800146102d557806399fbab88146102e8578063ac5a5cd9146103e0575f5ffd5b80635b34eba0116101485780637ecebe00116101235780637ecebe001461028257806384b0196e146102aa5780638da5cb5b146102c5575f5ffd5b80635b34eba01461023d578063637cd7f014610250578063715018a61461027a575f5ffd5b806351cff8d91161017857806351cff8d91461020257806354e44b9114610215578063558a72971461022a575f5ffd5b80632c9e0efd1461019e5780632d862a85146101c4578063483197d5146101ef575b5f5ffd5b6101b16101ac36600461250a565b610612565b6040519081526020015b60405180910390f35b6004546101d7906001600160a01b031681565b6040516001600160a01b0390911681526020016101bb565b6101b16101fd36600461255b565b610a1b565b6101b1610210366004612595565b610c57565b6102286102233660046125bd565b610c68565b005b610228610238366004612665565b610dab565b61022861024b366004612696565b610dd5565b6101b161025e3660046126ad565b600960209081525f928352604080842090915290825290205481565b610228610e3a565b6101b1610290366004612595565b6001600160a01b03165f9081526003602052604090205490565b6102b2610e4d565b6040516101bb9796959493929190612721565b5f546001600160a01b03166101d7565b6102286102e3366004612696565b610eab565b6103826102f6366004612696565b600660208190525f918252604090912080546001820154600283015460038401546004850154600586015495909601546001600160a01b03948516969484169574010000000000000000000000000000000000000000850467ffffffffffffffff16957c010000000000000000000000000000000000000000000000000000000090950460ff16949189565b604080516001600160a01b039a8b1681529990981660208a015267ffffffffffffffff909616968801969096529215156060870152608086019190915260a085015260c084015260e0830191909152610100820152610120016101bb565b6101b16103ee366004612696565b6110b6565b6101b16104013660046126ad565b611283565b610441610414366004612696565b60056020525f90815260409020805460018201546002909201546001600160a01b03918216929091169083565b604080516001600160a01b039485168152939092166020840152908201526060016101bb565b6104946104753660046126ad565b600760209081525f928352604080842090915290825290205460ff1681565b60405190151581526020016101bb565b6102286104b2366004612595565b6114c6565b6101b16104c5366004612696565b6115b2565b6101b16104d83660046127d3565b6115d4565b6101b16104eb366004612595565b600a6020525f908152604090205481565b61055d61050a366004612696565b60086020525f908152604090205477ffffffffffffffffffffffffffffffffffffffffffffffff8116907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1682565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909316835267ffffffffffffffff9091166020830152016101bb565b6102286105a4366004612595565b6117e8565b6105e96105b7366004612696565b5f908152600b60205260409020805460018201546002830154600390930154919367ffffffffffffffff909116929190565b6040805194855267ffffffffffffffff90931660208501529183015260608201526080016101bb565b5f61061b61183b565b6004546001600160a01b0316331461065f576040517ffe9e4ff300000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f848152600b602052604090208054158061067b575080548614155b156106ba576040517f5486e65f000000000000000000000000000000000000000000000000000000008152600481018690526024015b60405180910390fd5b60018101544267ffffffffffffffff90911611610706576040517fe49d4e62000000000000000000000000000000000000000000000000000000008152600481018690526024016106b1565b61070f856115b2565b84111561074b576040517f4e44cac8000000000000000000000000000000000000000000000000000000008152600481018690526024016106b1565b5f86815260056020526040902054610775906001600160a01b03166107708587612830565b611870565b83816003015f8282546107889190612830565b9091555050600c80545f906107a69067ffffffffffffffff16612843565b825467ffffffffffffffff9182166101009390930a83810292021916179091556001820180546801000000000000000083027fffffffffffffffffffffffffffffffff0000000000000000ffffffffffffffff90911617905591505f61080b87611979565b90506040518061012001604052808a6001600160a01b03168152602001896001600160a01b03168152602001826020015167ffffffffffffffff1681526020015f15158152602001888152602001878152602001868152602001858152602001825f015177ffffffffffffffffffffffffffffffffffffffffffffffff1681525060065f8581526020019081526020015f205f820151815f015f6101000a8154816001600160a01b0302191690836001600160a01b031602179055506020820151816001015f6101000a8154816001600160a01b0302191690836001600160a01b0316021790555060408201518160010160146101000a81548167ffffffffffffffff021916908367ffffffffffffffff160217905550606082015181600101601c6101000a81548160ff0219169083151502179055506080820151816002015560a0820151816003015560c0820151816004015560e082015181600501556101008201518160060155905050876001600160a01b0316896001600160a01b0316847f4553bd61c04581945f23be91a425ca48389c8dc7ad5b79faa7ca70e0a2c1cb8b8a8a8a8a885f01516040516109ff95949392919094855260208501939093526040840191909152606083015277ffffffffffffffffffffffffffffffffffffffffffffffff16608082015260a00190565b60405180910390a45050610a11611a8b565b9695505050505050565b5f610a24611ab5565b6001600160a01b038416610a64576040517fd92e233d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b604080516001600160a01b03808716602083015285169181019190915260608101839052608001604080517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe081840301815291815281516020928301205f81815260059093529120549091506001600160a01b031615610b13576040517fcc36f935000000000000000000000000000000000000000000000000000000008152600481018290526024016106b1565b6040517f5250fec7000000000000000000000000000000000000000000000000000000008152600481018390526001600160a01b03841690635250fec790602401602060405180830381865afa158015610b6f573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610b93919061286f565b50604080516060810182526001600160a01b0386811680835286821660208085018281528587018981525f89815260058452889020965187549087167fffffffffffffffffffffffff0000000000000000000000000000000000000000918216178855915160018801805491909716921691909117909455925160029094019390935583519283529082018590529183917fd07346d7fdb576181879a8e038226e4572717d92bb3625d4de8e2880c7d470b491015b60405180910390a39392505050565b5f610c623383611283565b92915050565b82421115610ca5576040517fbfb22adf000000000000000000000000000000000000000000000000000000008152600481018490526024016106b1565b5f610d487fa7d8b1bc72bd772bbc45444901248c83b1ab886d33b25e756dd094a981319d99888888610cf38c6001600160a01b03165f90815260036020526040902080546001810190915590565b6040805160208101969096526001600160a01b03948516908601529290911660608401521515608083015260a082015260c0810186905260e00160405160208183030381529060405280519060200120611afa565b9050610d5687828585611b41565b610d97576040517f9a7d38d90000000000000000000000000000000000000000000000000000000081526001600160a01b03881660048201526024016106b1565b610da2878787611bc3565b50505050505050565b80610dc657335f908152600360205260409020805460010190555b610dd1338383611bc3565b5050565b610ddd61183b565b5f818152600b60205260408120549003610e26576040517f5486e65f000000000000000000000000000000000000000000000000000000008152600481018290526024016106b1565b610e2f81611c4d565b610e37611a8b565b50565b610e42611ab5565b610e4b5f611dc2565b565b5f6060805f5f5f6060610e5e611e29565b610e66611e59565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b610eb361183b565b5f81815260066020526040902080546001600160a01b0316610f04576040517ff7154807000000000000000000000000000000000000000000000000000000008152600481018390526024016106b1565b60018101547c0100000000000000000000000000000000000000000000000000000000900460ff1615610f66576040517f3cc5ef33000000000000000000000000000000000000000000000000000000008152600481018390526024016106b1565b6003810154610f7481611c4d565b5f826004015490505f610f94828560060154610f8f866110b6565b611e84565b90505f84600501548284610fa89190612886565b610fb29190612830565b6001860180547fffffff00ffffffffffffffffffffffffffffffffffffffffffffffffffffffff167c01000000000000000000000000000000000000000000000000000000001790555f858152600b6020526040812060030180549293508592909190611020908490612886565b9091555050604080518381526020810183905287917f78dd5e343bcb666bca386d600c40d1412bff3eb1772d8be0f416118a4cd5a9bd910160405180910390a260028501545f9081526005602052604090205460018601546001600160a01b03918216916110919116828986611ec8565b85546110a8906001600160a01b0316828985611ec8565b505050505050610e37611a8b565b5f818152600b60209081526040808320600181015467ffffffffffffffff680100000000000000009091048116855260068085528386208787526008865284872085518087019096525477ffffffffffffffffffffffffffffffffffffffffffffffff8116865278010000000000000000000000000000000000000000000000009004909216948401859052810154919390929190850361115c57505f95945050505050565b600184015468010000000000000000900467ffffffffffffffff165f036111a157505177ffffffffffffffffffffffffffffffffffffffffffffffff16949350505050565b815177ffffffffffffffffffffffffffffffffffffffffffffffff1681106111cc5795945050505050565b8151611279906111f790839077ffffffffffffffffffffffffffffffffffffffffffffffff16612886565b600180860154908701546112309167ffffffffffffffff7401000000000000000000000000000000000000000090910481169116612899565b6001860154602086015167ffffffffffffffff9283169261126a927401000000000000000000000000000000000000000090041690612899565b67ffffffffffffffff16611f60565b610a119082612830565b5f61128c61183b565b506001600160a01b038083165f908152600960209081526040808320938516835292905290812054908190036112c357505f6114be565b6001600160a01b038084165f9081526009602090815260408083209386168352928152828220829055600a90529081208054839290611303908490612886565b92505081905550816001600160a01b0316836001600160a01b03167fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb8360405161134f91815260200190565b60405180910390a36040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038416906370a0823190602401602060405180830381865afa1580156113b4573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906113d8919061286f565b90506113ee6001600160a01b0384168584612010565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815230600482015282906001600160a01b038516906370a0823190602401602060405180830381865afa15801561144b573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061146f919061286f565b6114799083612886565b11156114bc576040517f5abaa10c0000000000000000000000000000000000000000000000000000000081526001600160a01b03841660048201526024016106b1565b505b610c62611a8b565b6114ce611ab5565b6001600160a01b03811661150e576040517fd92e233d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6004546001600160a01b031615611551576040517f419fc3c500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600480547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0383169081179091556040517feaf7c5f7d56322e3147039623c6292f8c6ad0acc53c90647b4301a60a6b886f4905f90a250565b5f818152600b602052604081206003810154600290910154610c629190612886565b5f6115dd611ab5565b5f848152600560205260409020546001600160a01b031661162d576040517f533f3566000000000000000000000000000000000000000000000000000000008152600481018590526024016106b1565b838360405160200161165392919091825267ffffffffffffffff16602082015260400190565b604080517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe081840301815291815281516020928301205f818152600b909352912054909150156116d2576040517f6ce78a24000000000000000000000000000000000000000000000000000000008152600481018290526024016106b1565b428367ffffffffffffffff1611611718576040517fe49d4e62000000000000000000000000000000000000000000000000000000008152600481018290526024016106b1565b6040805160a08101825285815267ffffffffffffffff85811660208084018281525f858701818152606087018a8152608088018381528a8452600b8652928990209751885592516001880180549251881668010000000000000000027fffffffffffffffffffffffffffffffff00000000000000000000000000000000909316919097161717909455516002850155915160039093019290925582519182528101849052859183917f21cf9b1203336323da6a5996b34b285cae7105c0b696414da582b5612476c6009101610c48565b6117f0611ab5565b6001600160a01b038116611832576040517f1e4fbdf70000000000000000000000000000000000000000000000000000000081525f60048201526024016106b1565b610e3781611dc2565b611843612063565b610e4b60017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b906120bc565b6001600160a01b0382165f908152600a6020526040812054611893908390612830565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815230600482015290915081906001600160a01b038516906370a0823190602401602060405180830381865afa1580156118f3573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611917919061286f565b101561195a576040517fbe0199730000000000000000000000000000000000000000000000000000000081526001600160a01b03841660048201526024016106b1565b6001600160a01b039092165f908152600a602052604090209190915550565b6040805180820182525f8082526020808301829052848252600590528281206001810154600282015494517f5250fec70000000000000000000000000000000000000000000000000000000081526004810195909552929390926001600160a01b031690635250fec790602401602060405180830381865afa158015611a01573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611a25919061286f565b90506040518060400160405280611a568377ffffffffffffffffffffffffffffffffffffffffffffffff80166120c3565b77ffffffffffffffffffffffffffffffffffffffffffffffff16815267ffffffffffffffff4216602090910152949350505050565b610e4b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f0061186a565b5f546001600160a01b03163314610e4b576040517f118cdaa70000000000000000000000000000000000000000000000000000000081523360048201526024016106b1565b5f610c62611b066120d2565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f5f5f611b4f8686866121fb565b5090925090505f816003811115611b6857611b686128b9565b148015611b865750866001600160a01b0316826001600160a01b0316145b15611b9657600192505050611bbb565b6001600160a01b0387163b15801590611bb65750611bb687878787612242565b925050505b949350505050565b6001600160a01b038381165f8181526007602090815260408083209487168084529482529182902080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001686151590811790915591519182527fceb576d9f15e4e200fdb5096d64d5dfd667e16def20c1eefd14256d8e3faa267910160405180910390a3505050565b5f818152600b60205260409020600181015467ffffffffffffffff16421015611ca5576040517f47603b10000000000000000000000000000000000000000000000000000000008152600481018390526024016106b1565b5f828152600860205260409020547801000000000000000000000000000000000000000000000000900467ffffffffffffffff1615611ce2575050565b5f611cef825f0154611979565b5f84815260086020908152604090912082519183015167ffffffffffffffff811678010000000000000000000000000000000000000000000000000277ffffffffffffffffffffffffffffffffffffffffffffffff84161790915591925084917f34cc2f901a4742b800fa28137e3d0ad86ca562b803bf56bbb52109bf9903a8d89190611d7b846110b6565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909416845267ffffffffffffffff90921660208401529082015260600160405180910390a2505050565b5f80546001600160a01b038381167fffffffffffffffffffffffff0000000000000000000000000000000000000000831681178455604051919092169283917f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09190a35050565b6060611e547f00000000000000000000000000000000000000000000000000000000000000006122c5565b905090565b6060611e547f00000000000000000000000000000000000000000000000000000000000000006122c5565b5f828211611e9357505f611ec1565b82611e9e8184612886565b10611eaa575082611ec1565b611ebe84611eb88585612886565b85611f60565b90505b9392505050565b8015611f5a576001600160a01b038085165f90815260096020908152604080832093871683529290529081208054839290611f04908490612830565b9250508190555081836001600160a01b0316856001600160a01b03167fdd0ef63b44a932361273bab95d6e9bfcea5c7850c43844f540314e89899b970c84604051611f5191815260200190565b60405180910390a45b50505050565b5f5f5f611f6d8686612302565b91509150815f03611f9157838181611f8757611f876128e6565b0492505050611ec1565b818411611fa857611fa8600385150260111861233d565b5f848688095f868103871696879004966002600389028118808a02820302808a02820302808a02820302808a02820302808a02820302808a02909103029181900381900460010185841190960395909502919093039390930492909217029150509392505050565b61201d838383600161234e565b61205e576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b03841660048201526024016106b1565b505050565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c15610e4b576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b5f828218828410028218611ec1565b5f306001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614801561212a57507f000000000000000000000000000000000000000000000000000000000000000046145b1561215457507f000000000000000000000000000000000000000000000000000000000000000090565b611e54604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f8080604184900361222f578435602086013560408701355f1a612221898285856123c9565b955095509550505050612239565b505f915060029050825b93509350939050565b604080517f1626ba7e00000000000000000000000000000000000000000000000000000000808252600482018690526024820192909252604481018390525f91908390818660648301375f82606483010152601f820160051c60051b915060205f60648401838b5afa9050825f5114601f3d111681169350505050949350505050565b60605f6122d1836124af565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83850993909202808410938190039390930393915050565b634e487b715f52806020526024601cfd5b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f511483166123bd5783831516156123b1573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a084111561240257505f915060039050826124a5565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015612453573d5f5f3e3d5ffd5b50506040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe001519150506001600160a01b03811661249c57505f9250600191508290506124a5565b92505f91508190505b9450945094915050565b5f60ff8216601f811115610c62576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80356001600160a01b0381168114612505575f5ffd5b919050565b5f5f5f5f5f5f60c0878903121561251f575f5ffd5b612528876124ef565b9550612536602088016124ef565b95989597505050506040840135936060810135936080820135935060a0909101359150565b5f5f5f6060848603121561256d575f5ffd5b612576846124ef565b9250612584602085016124ef565b929592945050506040919091013590565b5f602082840312156125a5575f5ffd5b611ec1826124ef565b80358015158114612505575f5ffd5b5f5f5f5f5f5f60a087890312156125d2575f5ffd5b6125db876124ef565b95506125e9602088016124ef565b94506125f7604088016125ae565b935060608701359250608087013567ffffffffffffffff811115612619575f5ffd5b8701601f81018913612629575f5ffd5b803567ffffffffffffffff81111561263f575f5ffd5b896020828401011115612650575f5ffd5b60208201935080925050509295509295509295565b5f5f60408385031215612676575f5ffd5b61267f836124ef565b915061268d602084016125ae565b90509250929050565b5f602082840312156126a6575f5ffd5b5035919050565b5f5f604083850312156126be575f5ffd5b6126c7836124ef565b915061268d602084016124ef565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f61275b60e08301896126d5565b828103604084015261276d81896126d5565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b818110156127c25783518352602093840193909201916001016127a4565b50909b9a5050505050505050505050565b5f5f5f606084860312156127e5575f5ffd5b83359250602084013567ffffffffffffffff81168114612584575f5ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b80820180821115610c6257610c62612803565b5f67ffffffffffffffff821667ffffffffffffffff810361286657612866612803565b60010192915050565b5f6020828403121561287f575f5ffd5b5051919050565b81810381811115610c6257610c62612803565b67ffffffffffffffff8281168282160390811115610c6257610c62612803565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffdfea164736f6c6343000825000a' as const

export const interestRatePoolDeployedBytecode = '0x608060405234801561000f575f5ffd5b506004361061019a575f3560e01c80638df82800116100e8578063b66d858b11610093578063df18e0471161006e578063df18e047146104dd578063eb5e91ff146104fc578063f2fde38b14610596578063f5de118e146105a9575f5ffd5b8063b66d858b146104a4578063bd8f9f9f146104b7578063d0fc4cb1146104ca575f5ffd5b8063adb5735c116100c3578063adb5735c146103f3578063b5217bb414610406578063b6363cf214610467575f5ffd5b80638df82800146102d557806399fbab88146102e8578063ac5a5cd9146103e0575f5ffd5b80635b34eba0116101485780637ecebe00116101235780637ecebe001461028257806384b0196e146102aa5780638da5cb5b146102c5575f5ffd5b80635b34eba01461023d578063637cd7f014610250578063715018a61461027a575f5ffd5b806351cff8d91161017857806351cff8d91461020257806354e44b9114610215578063558a72971461022a575f5ffd5b80632c9e0efd1461019e5780632d862a85146101c4578063483197d5146101ef575b5f5ffd5b6101b16101ac36600461250a565b610612565b6040519081526020015b60405180910390f35b6004546101d7906001600160a01b031681565b6040516001600160a01b0390911681526020016101bb565b6101b16101fd36600461255b565b610a1b565b6101b1610210366004612595565b610c57565b6102286102233660046125bd565b610c68565b005b610228610238366004612665565b610dab565b61022861024b366004612696565b610dd5565b6101b161025e3660046126ad565b600960209081525f928352604080842090915290825290205481565b610228610e3a565b6101b1610290366004612595565b6001600160a01b03165f9081526003602052604090205490565b6102b2610e4d565b6040516101bb9796959493929190612721565b5f546001600160a01b03166101d7565b6102286102e3366004612696565b610eab565b6103826102f6366004612696565b600660208190525f918252604090912080546001820154600283015460038401546004850154600586015495909601546001600160a01b03948516969484169574010000000000000000000000000000000000000000850467ffffffffffffffff16957c010000000000000000000000000000000000000000000000000000000090950460ff16949189565b604080516001600160a01b039a8b1681529990981660208a015267ffffffffffffffff909616968801969096529215156060870152608086019190915260a085015260c084015260e0830191909152610100820152610120016101bb565b6101b16103ee366004612696565b6110b6565b6101b16104013660046126ad565b611283565b610441610414366004612696565b60056020525f90815260409020805460018201546002909201546001600160a01b03918216929091169083565b604080516001600160a01b039485168152939092166020840152908201526060016101bb565b6104946104753660046126ad565b600760209081525f928352604080842090915290825290205460ff1681565b60405190151581526020016101bb565b6102286104b2366004612595565b6114c6565b6101b16104c5366004612696565b6115b2565b6101b16104d83660046127d3565b6115d4565b6101b16104eb366004612595565b600a6020525f908152604090205481565b61055d61050a366004612696565b60086020525f908152604090205477ffffffffffffffffffffffffffffffffffffffffffffffff8116907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1682565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909316835267ffffffffffffffff9091166020830152016101bb565b6102286105a4366004612595565b6117e8565b6105e96105b7366004612696565b5f908152600b60205260409020805460018201546002830154600390930154919367ffffffffffffffff909116929190565b6040805194855267ffffffffffffffff90931660208501529183015260608201526080016101bb565b5f61061b61183b565b6004546001600160a01b0316331461065f576040517ffe9e4ff300000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f848152600b602052604090208054158061067b575080548614155b156106ba576040517f5486e65f000000000000000000000000000000000000000000000000000000008152600481018690526024015b60405180910390fd5b60018101544267ffffffffffffffff90911611610706576040517fe49d4e62000000000000000000000000000000000000000000000000000000008152600481018690526024016106b1565b61070f856115b2565b84111561074b576040517f4e44cac8000000000000000000000000000000000000000000000000000000008152600481018690526024016106b1565b5f86815260056020526040902054610775906001600160a01b03166107708587612830565b611870565b83816003015f8282546107889190612830565b9091555050600c80545f906107a69067ffffffffffffffff16612843565b825467ffffffffffffffff9182166101009390930a83810292021916179091556001820180546801000000000000000083027fffffffffffffffffffffffffffffffff0000000000000000ffffffffffffffff90911617905591505f61080b87611979565b90506040518061012001604052808a6001600160a01b03168152602001896001600160a01b03168152602001826020015167ffffffffffffffff1681526020015f15158152602001888152602001878152602001868152602001858152602001825f015177ffffffffffffffffffffffffffffffffffffffffffffffff1681525060065f8581526020019081526020015f205f820151815f015f6101000a8154816001600160a01b0302191690836001600160a01b031602179055506020820151816001015f6101000a8154816001600160a01b0302191690836001600160a01b0316021790555060408201518160010160146101000a81548167ffffffffffffffff021916908367ffffffffffffffff160217905550606082015181600101601c6101000a81548160ff0219169083151502179055506080820151816002015560a0820151816003015560c0820151816004015560e082015181600501556101008201518160060155905050876001600160a01b0316896001600160a01b0316847f4553bd61c04581945f23be91a425ca48389c8dc7ad5b79faa7ca70e0a2c1cb8b8a8a8a8a885f01516040516109ff95949392919094855260208501939093526040840191909152606083015277ffffffffffffffffffffffffffffffffffffffffffffffff16608082015260a00190565b60405180910390a45050610a11611a8b565b9695505050505050565b5f610a24611ab5565b6001600160a01b038416610a64576040517fd92e233d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b604080516001600160a01b03808716602083015285169181019190915260608101839052608001604080517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe081840301815291815281516020928301205f81815260059093529120549091506001600160a01b031615610b13576040517fcc36f935000000000000000000000000000000000000000000000000000000008152600481018290526024016106b1565b6040517f5250fec7000000000000000000000000000000000000000000000000000000008152600481018390526001600160a01b03841690635250fec790602401602060405180830381865afa158015610b6f573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610b93919061286f565b50604080516060810182526001600160a01b0386811680835286821660208085018281528587018981525f89815260058452889020965187549087167fffffffffffffffffffffffff0000000000000000000000000000000000000000918216178855915160018801805491909716921691909117909455925160029094019390935583519283529082018590529183917fd07346d7fdb576181879a8e038226e4572717d92bb3625d4de8e2880c7d470b491015b60405180910390a39392505050565b5f610c623383611283565b92915050565b82421115610ca5576040517fbfb22adf000000000000000000000000000000000000000000000000000000008152600481018490526024016106b1565b5f610d487fa7d8b1bc72bd772bbc45444901248c83b1ab886d33b25e756dd094a981319d99888888610cf38c6001600160a01b03165f90815260036020526040902080546001810190915590565b6040805160208101969096526001600160a01b03948516908601529290911660608401521515608083015260a082015260c0810186905260e00160405160208183030381529060405280519060200120611afa565b9050610d5687828585611b41565b610d97576040517f9a7d38d90000000000000000000000000000000000000000000000000000000081526001600160a01b03881660048201526024016106b1565b610da2878787611bc3565b50505050505050565b80610dc657335f908152600360205260409020805460010190555b610dd1338383611bc3565b5050565b610ddd61183b565b5f818152600b60205260408120549003610e26576040517f5486e65f000000000000000000000000000000000000000000000000000000008152600481018290526024016106b1565b610e2f81611c4d565b610e37611a8b565b50565b610e42611ab5565b610e4b5f611dc2565b565b5f6060805f5f5f6060610e5e611e29565b610e66611e59565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b610eb361183b565b5f81815260066020526040902080546001600160a01b0316610f04576040517ff7154807000000000000000000000000000000000000000000000000000000008152600481018390526024016106b1565b60018101547c0100000000000000000000000000000000000000000000000000000000900460ff1615610f66576040517f3cc5ef33000000000000000000000000000000000000000000000000000000008152600481018390526024016106b1565b6003810154610f7481611c4d565b5f826004015490505f610f94828560060154610f8f866110b6565b611e84565b90505f84600501548284610fa89190612886565b610fb29190612830565b6001860180547fffffff00ffffffffffffffffffffffffffffffffffffffffffffffffffffffff167c01000000000000000000000000000000000000000000000000000000001790555f858152600b6020526040812060030180549293508592909190611020908490612886565b9091555050604080518381526020810183905287917f78dd5e343bcb666bca386d600c40d1412bff3eb1772d8be0f416118a4cd5a9bd910160405180910390a260028501545f9081526005602052604090205460018601546001600160a01b03918216916110919116828986611ec8565b85546110a8906001600160a01b0316828985611ec8565b505050505050610e37611a8b565b5f818152600b60209081526040808320600181015467ffffffffffffffff680100000000000000009091048116855260068085528386208787526008865284872085518087019096525477ffffffffffffffffffffffffffffffffffffffffffffffff8116865278010000000000000000000000000000000000000000000000009004909216948401859052810154919390929190850361115c57505f95945050505050565b600184015468010000000000000000900467ffffffffffffffff165f036111a157505177ffffffffffffffffffffffffffffffffffffffffffffffff16949350505050565b815177ffffffffffffffffffffffffffffffffffffffffffffffff1681106111cc5795945050505050565b8151611279906111f790839077ffffffffffffffffffffffffffffffffffffffffffffffff16612886565b600180860154908701546112309167ffffffffffffffff7401000000000000000000000000000000000000000090910481169116612899565b6001860154602086015167ffffffffffffffff9283169261126a927401000000000000000000000000000000000000000090041690612899565b67ffffffffffffffff16611f60565b610a119082612830565b5f61128c61183b565b506001600160a01b038083165f908152600960209081526040808320938516835292905290812054908190036112c357505f6114be565b6001600160a01b038084165f9081526009602090815260408083209386168352928152828220829055600a90529081208054839290611303908490612886565b92505081905550816001600160a01b0316836001600160a01b03167fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb8360405161134f91815260200190565b60405180910390a36040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038416906370a0823190602401602060405180830381865afa1580156113b4573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906113d8919061286f565b90506113ee6001600160a01b0384168584612010565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815230600482015282906001600160a01b038516906370a0823190602401602060405180830381865afa15801561144b573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061146f919061286f565b6114799083612886565b11156114bc576040517f5abaa10c0000000000000000000000000000000000000000000000000000000081526001600160a01b03841660048201526024016106b1565b505b610c62611a8b565b6114ce611ab5565b6001600160a01b03811661150e576040517fd92e233d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6004546001600160a01b031615611551576040517f419fc3c500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600480547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0383169081179091556040517feaf7c5f7d56322e3147039623c6292f8c6ad0acc53c90647b4301a60a6b886f4905f90a250565b5f818152600b602052604081206003810154600290910154610c629190612886565b5f6115dd611ab5565b5f848152600560205260409020546001600160a01b031661162d576040517f533f3566000000000000000000000000000000000000000000000000000000008152600481018590526024016106b1565b838360405160200161165392919091825267ffffffffffffffff16602082015260400190565b604080517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe081840301815291815281516020928301205f818152600b909352912054909150156116d2576040517f6ce78a24000000000000000000000000000000000000000000000000000000008152600481018290526024016106b1565b428367ffffffffffffffff1611611718576040517fe49d4e62000000000000000000000000000000000000000000000000000000008152600481018290526024016106b1565b6040805160a08101825285815267ffffffffffffffff85811660208084018281525f858701818152606087018a8152608088018381528a8452600b8652928990209751885592516001880180549251881668010000000000000000027fffffffffffffffffffffffffffffffff00000000000000000000000000000000909316919097161717909455516002850155915160039093019290925582519182528101849052859183917f21cf9b1203336323da6a5996b34b285cae7105c0b696414da582b5612476c6009101610c48565b6117f0611ab5565b6001600160a01b038116611832576040517f1e4fbdf70000000000000000000000000000000000000000000000000000000081525f60048201526024016106b1565b610e3781611dc2565b611843612063565b610e4b60017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b906120bc565b6001600160a01b0382165f908152600a6020526040812054611893908390612830565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815230600482015290915081906001600160a01b038516906370a0823190602401602060405180830381865afa1580156118f3573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611917919061286f565b101561195a576040517fbe0199730000000000000000000000000000000000000000000000000000000081526001600160a01b03841660048201526024016106b1565b6001600160a01b039092165f908152600a602052604090209190915550565b6040805180820182525f8082526020808301829052848252600590528281206001810154600282015494517f5250fec70000000000000000000000000000000000000000000000000000000081526004810195909552929390926001600160a01b031690635250fec790602401602060405180830381865afa158015611a01573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611a25919061286f565b90506040518060400160405280611a568377ffffffffffffffffffffffffffffffffffffffffffffffff80166120c3565b77ffffffffffffffffffffffffffffffffffffffffffffffff16815267ffffffffffffffff4216602090910152949350505050565b610e4b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f0061186a565b5f546001600160a01b03163314610e4b576040517f118cdaa70000000000000000000000000000000000000000000000000000000081523360048201526024016106b1565b5f610c62611b066120d2565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f5f5f611b4f8686866121fb565b5090925090505f816003811115611b6857611b686128b9565b148015611b865750866001600160a01b0316826001600160a01b0316145b15611b9657600192505050611bbb565b6001600160a01b0387163b15801590611bb65750611bb687878787612242565b925050505b949350505050565b6001600160a01b038381165f8181526007602090815260408083209487168084529482529182902080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001686151590811790915591519182527fceb576d9f15e4e200fdb5096d64d5dfd667e16def20c1eefd14256d8e3faa267910160405180910390a3505050565b5f818152600b60205260409020600181015467ffffffffffffffff16421015611ca5576040517f47603b10000000000000000000000000000000000000000000000000000000008152600481018390526024016106b1565b5f828152600860205260409020547801000000000000000000000000000000000000000000000000900467ffffffffffffffff1615611ce2575050565b5f611cef825f0154611979565b5f84815260086020908152604090912082519183015167ffffffffffffffff811678010000000000000000000000000000000000000000000000000277ffffffffffffffffffffffffffffffffffffffffffffffff84161790915591925084917f34cc2f901a4742b800fa28137e3d0ad86ca562b803bf56bbb52109bf9903a8d89190611d7b846110b6565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909416845267ffffffffffffffff90921660208401529082015260600160405180910390a2505050565b5f80546001600160a01b038381167fffffffffffffffffffffffff0000000000000000000000000000000000000000831681178455604051919092169283917f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09190a35050565b6060611e547f00000000000000000000000000000000000000000000000000000000000000006122c5565b905090565b6060611e547f00000000000000000000000000000000000000000000000000000000000000006122c5565b5f828211611e9357505f611ec1565b82611e9e8184612886565b10611eaa575082611ec1565b611ebe84611eb88585612886565b85611f60565b90505b9392505050565b8015611f5a576001600160a01b038085165f90815260096020908152604080832093871683529290529081208054839290611f04908490612830565b9250508190555081836001600160a01b0316856001600160a01b03167fdd0ef63b44a932361273bab95d6e9bfcea5c7850c43844f540314e89899b970c84604051611f5191815260200190565b60405180910390a45b50505050565b5f5f5f611f6d8686612302565b91509150815f03611f9157838181611f8757611f876128e6565b0492505050611ec1565b818411611fa857611fa8600385150260111861233d565b5f848688095f868103871696879004966002600389028118808a02820302808a02820302808a02820302808a02820302808a02820302808a02909103029181900381900460010185841190960395909502919093039390930492909217029150509392505050565b61201d838383600161234e565b61205e576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b03841660048201526024016106b1565b505050565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c15610e4b576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b5f828218828410028218611ec1565b5f306001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614801561212a57507f000000000000000000000000000000000000000000000000000000000000000046145b1561215457507f000000000000000000000000000000000000000000000000000000000000000090565b611e54604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f8080604184900361222f578435602086013560408701355f1a612221898285856123c9565b955095509550505050612239565b505f915060029050825b93509350939050565b604080517f1626ba7e00000000000000000000000000000000000000000000000000000000808252600482018690526024820192909252604481018390525f91908390818660648301375f82606483010152601f820160051c60051b915060205f60648401838b5afa9050825f5114601f3d111681169350505050949350505050565b60605f6122d1836124af565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83850993909202808410938190039390930393915050565b634e487b715f52806020526024601cfd5b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f511483166123bd5783831516156123b1573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a084111561240257505f915060039050826124a5565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015612453573d5f5f3e3d5ffd5b50506040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe001519150506001600160a01b03811661249c57505f9250600191508290506124a5565b92505f91508190505b9450945094915050565b5f60ff8216601f811115610c62576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80356001600160a01b0381168114612505575f5ffd5b919050565b5f5f5f5f5f5f60c0878903121561251f575f5ffd5b612528876124ef565b9550612536602088016124ef565b95989597505050506040840135936060810135936080820135935060a0909101359150565b5f5f5f6060848603121561256d575f5ffd5b612576846124ef565b9250612584602085016124ef565b929592945050506040919091013590565b5f602082840312156125a5575f5ffd5b611ec1826124ef565b80358015158114612505575f5ffd5b5f5f5f5f5f5f60a087890312156125d2575f5ffd5b6125db876124ef565b95506125e9602088016124ef565b94506125f7604088016125ae565b935060608701359250608087013567ffffffffffffffff811115612619575f5ffd5b8701601f81018913612629575f5ffd5b803567ffffffffffffffff81111561263f575f5ffd5b896020828401011115612650575f5ffd5b60208201935080925050509295509295509295565b5f5f60408385031215612676575f5ffd5b61267f836124ef565b915061268d602084016125ae565b90509250929050565b5f602082840312156126a6575f5ffd5b5035919050565b5f5f604083850312156126be575f5ffd5b6126c7836124ef565b915061268d602084016124ef565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f61275b60e08301896126d5565b828103604084015261276d81896126d5565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b818110156127c25783518352602093840193909201916001016127a4565b50909b9a5050505050505050505050565b5f5f5f606084860312156127e5575f5ffd5b83359250602084013567ffffffffffffffff81168114612584575f5ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b80820180821115610c6257610c62612803565b5f67ffffffffffffffff821667ffffffffffffffff810361286657612866612803565b60010192915050565b5f6020828403121561287f575f5ffd5b5051919050565b81810381811115610c6257610c62612803565b67ffffffffffffffff8281168282160390811115610c6257610c62612803565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffdfea164736f6c6343000825000a' as const
