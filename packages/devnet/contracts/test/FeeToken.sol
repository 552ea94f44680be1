// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "../mocks/TestToken.sol";

/// @title A token that burns a fee on each transfer, from the amount received or from the sender's balance. For tests.
contract FeeToken is TestToken {
    uint256 public feeOfReceiver;
    uint256 public feeOfSender;

    constructor() TestToken("Fee", "FEE", 6) {}

    /// @notice Fees in millionths of the amount.
    function setFees(uint256 ofReceiver, uint256 ofSender) external {
        feeOfReceiver = ofReceiver;
        feeOfSender = ofSender;
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from == address(0) || to == address(0)) return;
        if (feeOfReceiver != 0) super._update(to, address(0), amount * feeOfReceiver / 1e6);
        if (feeOfSender != 0) super._update(from, address(0), amount * feeOfSender / 1e6);
    }
}
