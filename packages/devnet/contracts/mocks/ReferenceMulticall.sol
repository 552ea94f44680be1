// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A stand-in for Multicall3, at its address on the devnet, for clients that batch reads. For development only.
/// @notice The part of Multicall3's interface that clients use for reads.
contract ReferenceMulticall {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    error CallFailed(uint256 position);

    /// @notice Makes the calls in order. If a call without `allowFailure` fails, all of them are reverted.
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory returnData) {
        returnData = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory data) = calls[i].target.call(calls[i].callData);
            if (!success && !calls[i].allowFailure) revert CallFailed(i);
            returnData[i] = Result(success, data);
        }
    }

    function getBlockNumber() external view returns (uint256 blockNumber) {
        return block.number;
    }

    function getCurrentBlockTimestamp() external view returns (uint256 timestamp) {
        return block.timestamp;
    }

    function getLastBlockHash() external view returns (bytes32 blockHash) {
        unchecked {
            return blockhash(block.number - 1);
        }
    }

    function getEthBalance(address account) external view returns (uint256 balance) {
        return account.balance;
    }
}
