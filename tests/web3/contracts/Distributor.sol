// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";

/// The usual Merkle distributor: the owner of a leaf (address, amount) claims its amount, once.
contract Distributor {
    using SafeERC20 for IERC20;

    IERC20 public immutable token;
    bytes32 public immutable root;
    mapping(address => bool) public claimed;

    constructor(IERC20 token_, bytes32 root_) {
        token = token_;
        root = root_;
    }

    function claim(address account, uint256 amount, bytes32[] calldata proof) external {
        require(!claimed[account], "claimed already");
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(account, amount))));
        require(MerkleProof.verify(proof, root, leaf), "not in the tree");
        claimed[account] = true;
        token.safeTransfer(account, amount);
    }
}
