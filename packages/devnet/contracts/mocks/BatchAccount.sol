// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Code for accounts to delegate to (EIP-7702), which sends several calls as an atomic batch. For tests.
contract BatchAccount {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    error NotThisAccount();

    /// @notice Makes the calls in order, atomically. If a call reverts, the earlier ones are reverted as well.
    function execute(Call[] calldata calls) external payable {
        if (msg.sender != address(this)) revert NotThisAccount();
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (success) continue;
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }
}
